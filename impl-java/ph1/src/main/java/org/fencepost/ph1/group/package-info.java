/** The instances' group on JGroups: views, requests between members, and the version store that all of them hold. */
package org.fencepost.ph1.group;
