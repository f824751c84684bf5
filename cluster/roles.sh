# shellcheck shell=bash
# How the process of each role is started on this node: one function each, which becomes the process. What must be there
# before it first starts is made by prepare_ROLE.

jvm() { # MEGABYTES MAIN ARGUMENTS...
  local heap=$1 path=$CLASS_PATH classes
  shift
  classes=$(archive)
  case $role in
    master | regionserver) path=$path:$state/server.jar ;;
    bookie) path=$BOOKIE_CLASS_PATH ;;
  esac
  exec java -Xmx"${heap}m" "${OPTIONS[@]}" ${classes:+"$classes"} -cp "$path" "$@"
}

OPTIONS=(-XX:+UseSerialGC -XX:-UsePerfData -Xss512k -XX:MaxDirectMemorySize=64m -Xshare:auto
  -Djava.net.preferIPv4Stack=true -Djava.io.tmpdir="$home/data" -Dlog4j.configuration=file:"$root/cluster/conf/log4j.properties"
  -Dfencepost.node="$node" -Dfencepost.data="$home/data" -XX:ErrorFile="$home/logs/$role-error.log")
# No optimising compiler: what runs for minutes on few cores has not the time for it.
OPTIONS+=(-XX:TieredStopAtLevel=1)
OPTIONS+=(--add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.nio=ALL-UNNAMED
  --add-opens java.base/java.lang.reflect=ALL-UNNAMED)

# Classes are loaded twice as fast from an archive, which the first process of each role leaves when it is stopped.
archive() {
  if [ -f "$ARCHIVES/$role.jsa" ]; then
    echo "-XX:SharedArchiveFile=$ARCHIVES/$role.jsa"
  elif [ "$(nodes_of "$role" | cut -d' ' -f1)" = "$node" ]; then
    echo "-XX:ArchiveClassesAtExit=$ARCHIVES/$role.new"
  fi
}

prepare_zookeeper() {
  mkdir -p "$home/data/zookeeper"
  echo "${node#n}" > "$home/data/zookeeper/myid"
  sed "s#DATA#$home/data/zookeeper#" "$root/cluster/conf/zoo.cfg" > "$home/data/zoo.cfg"
}

zookeeper() { jvm 96 org.apache.zookeeper.server.quorum.QuorumPeerMain "$home/data/zoo.cfg"; }

prepare_namenode() {
  if [ ! -d "$home/data/namenode/current" ]; then (namenode -format -nonInteractive); fi
}

namenode() { jvm 192 org.apache.hadoop.hdfs.server.namenode.NameNode "$@"; }

datanode() { jvm 160 org.apache.hadoop.hdfs.server.datanode.DataNode; }

master() { jvm 320 org.apache.hadoop.hbase.master.HMaster start; }

regionserver() { jvm 384 org.apache.hadoop.hbase.regionserver.HRegionServer start; }

bookie() { jvm 128 org.fencepost.mediator.LocalBookie "$BOOKKEEPER" "$home/data/bookie" 3181 "$node"; }

# Its own libraries, and an own file of options, which come after ours.
cassandra() {
  java -Xmx64m -cp "$state/ph1/classes:$state/ph1/lib/*" org.fencepost.ph1.demo.CassandraNode \
    "$state/cassandra" "$home/data/cassandra" "$(address "$node")" "$(address n1)" 320 > "$home/data/cassandra.arguments"
  exec java "${OPTIONS[@]}" -XX:MaxDirectMemorySize=128m @"$home/data/cassandra.arguments"
}

# An application with an instance of pH1's middleware.
ph1() {
  PH1_NODES=$(nodes_of ph1) CASSANDRA_NODES=$(nodes_of cassandra) exec java -Xmx160m "${OPTIONS[@]}" -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
    -cp "$state/ph1/classes:$state/ph1/lib/*" org.fencepost.clustertest.ph1.InstanceServer "$node" "$ZOOKEEPER"
}

tm() {
  local mediator=()
  if [ -n "$MEDIATOR" ]; then mediator=(--bookkeeper "$BOOKKEEPER" --hbase-site "$root/cluster/conf/hbase-site.xml" --helper-ms 1000); fi
  export FENCEPOST_OPTS="-Xmx192m ${OPTIONS[*]}"
  # shellcheck disable=SC2086
  exec "$state/cli/fencepost" tm --zookeeper "$ZOOKEEPER" --host "$node" --metrics-port "$METRICS_PORT" --trace "$home/logs/traces" \
    "${mediator[@]}" $TM_OPTIONS
}
