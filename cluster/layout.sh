# shellcheck shell=bash disable=SC2034
# Where everything is. Read by the command and, on nodes, by `node`: paths are the same in both.

NODES=(n1 n2 n3 n4 n5)
# In the order of starting: what stands in the first line must listen before the others start.
FIRST=(zookeeper namenode)
THEN=(bookie cassandra datanode master regionserver tm ph1)

nodes_of() { # ROLE
  case $1 in
    zookeeper) echo n1 n2 n3 ;;
    namenode) echo n1 ;;
    datanode | regionserver) echo n2 n3 n4 ;;
    master) echo n5 ;;
    tm) echo n4 n5 ;;
    bookie) if [ -n "${MEDIATOR:-}" ]; then echo n1 n3 n5; fi ;;
    cassandra) if [ -n "${PH1:-}" ]; then echo n1 n2 n3; fi ;;
    ph1) if [ -n "${PH1:-}" ]; then echo n3 n4 n5; fi ;;
    *) fail 2 "There is no role $1: ${FIRST[*]} ${THEN[*]}." ;;
  esac
}

address() { # PLACE
  case $1 in
    n[1-5]) echo "$CLUSTER_SUBNET.1${1#n}" ;;
    control) echo "$CLUSTER_SUBNET.10" ;;
    *) fail 2 "There is no place $1: ${NODES[*]}, and control where clients run." ;;
  esac
}

is_node() { # NODE
  if [[ " ${NODES[*]} " != *" $1 "* ]]; then fail 2 "There is no node $1: ${NODES[*]}."; fi
}

ZOOKEEPER=n1:2181,n2:2181,n3:2181
BOOKKEEPER=zk+hierarchical://${ZOOKEEPER//,/;}/ledgers
METRICS_PORT=7656
DISK_MEGABYTES=512

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
state=$root/target/cluster # nodes/NODE/{data,logs,skew,run}, and what `up` found out
archives=$root/target/cluster-archives
name=fencepost-$(cksum <<< "$root" | cut -d' ' -f1) # of namespaces and containers: other checkouts may run clusters, too
: "${CLUSTER_SUBNET:=10.77.0}" # containers of several clusters need several; namespaces do not see each other

# Another system's transaction managers in place of ours.
is_peer() { [ "$SYSTEM" != fencepost ]; }

fail() { # CODE SENTENCE
  echo "$2" >&2
  exit "$1"
}
