# shellcheck shell=bash
# What can go wrong with the network, processes, clocks and disks, and the end of all of it.

# One way: A's packets are dropped where B receives them. Not those of ssh, by which control reaches containers, to heal them, too.
block() { # A B
  on "$2" iptables -w -A INPUT -s "$(address "$1")" -p tcp -m multiport ! --ports 22 -j DROP
}

block_both() { # "A..." "B..."
  local a b
  for a in $1; do
    for b in $2; do
      block "$a" "$b"
      block "$b" "$a"
    done
  done
}

others() { # NODE...
  local node
  for node in "${NODES[@]}"; do
    if [[ " $* " != *" $node "* ]]; then echo "$node"; fi
  done
}

partition() {
  local side place
  case ${1:-} in
    halves)
      side=${*:2}
      if [ -z "$side" ]; then side=$(shuf -n 2 -e "${NODES[@]}"); fi
      for place in $side; do is_node "$place"; done
      # shellcheck disable=SC2086
      block_both "$side" "$(others $side)"
      ;;
    ring)
      block_both n1 n3; block_both n2 n4; block_both n3 n5; block_both n4 n1; block_both n5 n2
      ;;
    node)
      is_node "${2:-}"
      block_both "$2" "$(others "$2")"
      ;;
    from)
      if [ "${3:-}" != to ]; then usage; fi
      address "$2" > /dev/null
      address "${4:-}" > /dev/null
      block "$2" "$4"
      ;;
    *) usage ;;
  esac
}

# COMMAND of `node` for each process of the role, or for the one on NODE.
each() { # COMMAND ROLE [NODE]
  local command=$1 role=${2:-} nodes node
  nodes=$(nodes_of "$role")
  if [ -n "${3:-}" ]; then
    if [[ " $nodes " != *" $3 "* ]]; then fail 2 "There is no $role on $3, only on ${nodes:-no node}."; fi
    nodes=$3
  fi
  for node in $nodes; do on_node "$node" "$command" "$role"; done
}

roles_on() { # NODE
  local role
  for role in "${FIRST[@]}" "${THEN[@]}"; do
    if [[ " $(nodes_of "$role") " == *" $1 "* ]]; then echo "$role"; fi
  done
  echo shell # what `exec` runs
}

skew_each() { # "ARGUMENTS of skew" [NODE [ROLE]]
  local nodes=${2:-${NODES[*]}} node role roles
  is_node "${2:-n1}"
  for node in $nodes; do
    roles=$(roles_on "$node")
    if [ -n "${3:-}" ]; then
      if ! grep -qx "$3" <<< "$roles"; then fail 2 "There is no $3 on $node."; fi
      roles=$3
    fi
    # shellcheck disable=SC2086
    for role in $roles; do on_node "$node" skew "$role" $1; done
  done
}

skew() {
  case ${1:-} in
    jump | rate) if [ $# -ge 2 ]; then skew_each "$1 $2" "${@:3}"; else usage; fi ;;
    strobe) if [ $# -ge 3 ]; then skew_each "$1 $2 $3" "${@:4}"; else usage; fi ;;
    *) usage ;;
  esac
}

heal() {
  local place role
  for place in "${NODES[@]}" control; do on "$place" iptables -w -F INPUT; done
  for role in "${FIRST[@]}" "${THEN[@]}"; do each resume "$role"; done
  skew_each right
  for place in "${NODES[@]}"; do on_node "$place" restore; done
  start_dead
}
