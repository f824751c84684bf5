# What scripts that do as the pages say have in common; to be sourced.

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Whether the playground, whose output goes to LOG, serves within two minutes; it may end before.
await_playground() { # LOG PROCESS
  for _ in $(seq 120); do
    if grep -q '^Ready' "$1"; then return; fi
    kill -0 "$2" 2> /dev/null || return 1
    sleep 1
  done
  return 1
}
