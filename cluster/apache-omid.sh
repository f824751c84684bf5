# shellcheck shell=bash
# Apache Omid's transaction managers in place of ours: two, which keep their lease and their highest timestamp in ZooKeeper, so that they live on where a region
# server dies, and commits in HBase. OMID_TIMESTAMPS=hbase keeps the timestamp there, too. Read where $SYSTEM says so: apache-omid, in low-latency mode, or
# apache-omid-default.

OMID_PORT=24758

tm() {
  local path=$home/data/omid timestamps
  mkdir -p "$path"
  case ${OMID_TIMESTAMPS:-} in
    hbase) timestamps='timestampStoreModule: !!org.apache.omid.timestamp.storage.DefaultHBaseTimestampStorageModule [ ]' ;;
    *) timestamps="timestampStoreModule: !!org.apache.omid.timestamp.storage.DefaultZKTimestampStorageModule
    zkCluster: \"$ZOOKEEPER\"
    namespace: \"omid\"" ;;
  esac
  # Its lease is as long as ours.
  cat > "$path/omid-server-configuration.yml" << EOF
port: $OMID_PORT
networkIfaceName: eth0
conflictMapSize: 1048576
lowLatency: $([ "$SYSTEM" = apache-omid ] && echo true || echo false)
$timestamps
commitTableStoreModule: !!org.apache.omid.committable.hbase.DefaultHBaseCommitTableStorageModule [ ]
leaseModule: !!org.apache.omid.tso.HALeaseManagementModule
    leasePeriodInMs: 2000
    tsoLeasePath: "/tso-lease"
    currentTsoPath: "/current-tso"
    zkCluster: "$ZOOKEEPER"
    zkNamespace: "omid"
EOF
  # It logs by log4j 2.
  exec java -Xmx192m "${OPTIONS[@]/#-Dlog4j.configuration=*/-Dlog4j2.level=INFO}" -cp "$path:$root/cluster/conf:$PEER_CLASS_PATH" org.apache.omid.tso.TSOServer
}

# Its tables, which want HBase to serve.
make_manager_tables() {
  local table
  for table in commit-table timestamp-table; do
    in_control java -Xmx128m -XX:TieredStopAtLevel=1 --add-opens java.base/java.nio=ALL-UNNAMED -cp "$root/cluster/conf:$PEER_CLASS_PATH" \
      org.apache.omid.tools.hbase.OmidTableManager "$table" || return 1
  done
  touch "$state/manager-tables"
}

# Only the one that has the lease listens.
tm_primary() {
  local node
  for node in $(nodes_of tm); do
    if in_control timeout 2 bash -c "< /dev/tcp/$node/$OMID_PORT" 2> /dev/null; then echo "$node"; return; fi
  done
  fail 1 "No transaction manager serves."
}

managers_ready() { # END, of $SECONDS
  if [ ! -f "$state/manager-tables" ]; then make_manager_tables || fail 1 "Apache Omid's tables could not be made."; fi
  until (tm_primary > /dev/null 2>&1); do
    if [ "$SECONDS" -gt "$1" ]; then fail 1 "The cluster does not serve: no transaction manager listens."; fi
    start_dead
    sleep 0.5
  done
}
