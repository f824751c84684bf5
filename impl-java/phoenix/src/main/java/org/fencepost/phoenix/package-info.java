/** Apache Phoenix on Fencepost's transactions: what stands in for Phoenix's own provider, on clients and region servers. */
package org.fencepost.phoenix;
