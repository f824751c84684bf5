/** pH1 for applications: {@link org.fencepost.ph1.client.PH1Client} is where to begin. Each one is an instance of the middleware. */
package org.fencepost.ph1.client;
