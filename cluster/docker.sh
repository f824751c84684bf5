# shellcheck shell=bash
# Places as containers of docker-compose.yml. They see this directory under its own path, so that scripts and paths are the
# same; a node's disk is a tmpfs. In control there is no docker: from there nodes are reached by ssh.

key=$state/ssh/key

on() { # PLACE CMD...
  local directory=$root
  if [[ $PWD == "$root"* ]]; then directory=$PWD; fi
  if [ "${FENCEPOST_PLACE:-}" = control ]; then
    ssh -q -i "$key" -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "root@$1" "cd $(printf %q "$directory") && $(printf '%q ' "${@:2}")"
  else
    docker exec -i -w "$directory" "$name-$1" "${@:2}"
  fi
}

in_control() {
  if [ "${FENCEPOST_PLACE:-}" = control ]; then "$@"; else on control "$@"; fi
}

compose() {
  export FENCEPOST_ROOT=$root DISK_MEGABYTES CLUSTER_NAME=$name CLUSTER_SUBNET
  if docker compose version > /dev/null 2>&1; then docker compose -p "$name" -f "$root/docker-compose.yml" "$@"
  elif command -v docker-compose > /dev/null; then docker-compose -p "$name" -f "$root/docker-compose.yml" "$@"
  else fail 1 "docker compose is needed: install docker-compose, or use CLUSTER=netns."; fi
}

places_up() {
  local place
  command -v docker > /dev/null || fail 1 "docker is needed: install it, or use CLUSTER=netns."
  docker info > /dev/null 2>&1 || fail 1 "No docker daemon answers: start it, or use CLUSTER=netns."
  mkdir -p "${key%/*}"
  ssh-keygen -q -t ed25519 -N '' -f "$key"
  compose build --quiet n1
  compose up -d
  for place in "${NODES[@]}" control; do healthy "$place"; done
}

# Neither compose waits in the same way as the other.
healthy() { # PLACE
  for _ in {1..300}; do
    if [ "$(docker inspect -f '{{.State.Health.Status}}' "$name-$1")" = healthy ]; then return; fi
    sleep 0.2
  done
  fail 1 "The container $name-$1 is not healthy after a minute: docker logs $name-$1"
}

places_down() {
  if ! docker info > /dev/null 2>&1; then return; fi
  # What containers wrote belongs to root.
  if docker exec "$name-n1" true 2> /dev/null; then on n1 chown -R "$(id -u):$(id -g)" "$root/target/cluster" "$archives"; fi
  compose down --volumes --timeout 1
}

# Built with the image.
build_clock() { on n1 cp /usr/local/lib/fencepost/skew /usr/local/lib/fencepost/skew.so "$state"; }
