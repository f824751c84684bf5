# shellcheck shell=bash
# Places as network namespaces, joined by a bridge in one of its own, where no rule of the machine's applies. Names are kept
# in a file for each place, which `ip netns exec` puts over /etc/hosts; a disk is a small tmpfs.

if [ "$(id -u)" != 0 ]; then fail 1 "Network namespaces need root: run this as root, or use CLUSTER=docker."; fi

on() { # PLACE CMD...
  ip netns exec "$name-$1" "${@:2}"
}

in_control() { on control "$@"; }

places_up() {
  local place
  need ip iproute2
  need iptables iptables
  ip netns add "$name-switch"
  ip -n "$name-switch" link add bridge type bridge
  ip -n "$name-switch" link set bridge up
  for place in "${NODES[@]}" control; do
    ip netns add "$name-$place"
    ip -n "$name-switch" link add "$place" type veth peer name eth0 netns "$name-$place"
    ip -n "$name-switch" link set "$place" master bridge up
    ip -n "$name-$place" address add "$(address "$place")/24" dev eth0
    ip -n "$name-$place" link set eth0 up
    ip -n "$name-$place" link set lo up
    mkdir -p "/etc/netns/$name-$place"
    hosts "$place" > "/etc/netns/$name-$place/hosts"
  done
  for place in "${NODES[@]}"; do
    mount -t tmpfs -o size="${DISK_MEGABYTES}m" "$name" "$state/nodes/$place/data"
  done
}

hosts() { # PLACE
  local other
  echo 127.0.0.1 localhost
  for other in "${NODES[@]}" control; do
    echo "$(address "$other") $other"
  done
  echo "$(address "$1") $(hostname)" # Java asks for the machine's own name, too
}

# Asks the kernel what there is, so that nothing is left of what crashed.
places_down() {
  local place pids
  for place in $(ip netns list | grep -o "^$name-[a-z0-9]*" || true); do
    pids=$(ip netns pids "$place")
    # shellcheck disable=SC2086
    while [ -n "$pids" ]; do
      kill -KILL $pids 2> /dev/null || true
      sleep 0.05
      pids=$(ip netns pids "$place")
    done
    ip netns delete "$place"
  done
  rm -rf "/etc/netns/$name-"*
  rmdir --ignore-fail-on-non-empty /etc/netns 2> /dev/null || true
  for place in "${NODES[@]}"; do
    while mountpoint -q "$state/nodes/$place/data"; do umount "$state/nodes/$place/data"; done
  done
}
