# shellcheck shell=bash
# The clocks of processes on this node: by our own library (skew.c), or where that could not be built by libfaketime, which is
# slower, and good for jumps only.

faketime() { compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1'; }

# What is executed from here on has the clock of the role.
with_clock() { # ROLE
  if [ -f "$state/skew.so" ]; then
    export LD_PRELOAD=$state/skew.so SKEW_FILE=$home/skew/$1
  else
    export LD_PRELOAD FAKETIME_TIMESTAMP_FILE=$home/skew/$1 FAKETIME_NO_CACHE=1
    # Otherwise timed waits of a JVM spin.
    export FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_FORCE_MONOTONIC_FIX=0
    LD_PRELOAD=$(faketime)
  fi
}

skew() { # ROLE jump SECONDS|strobe SECONDS MILLIS|rate FACTOR|right
  local file=$home/skew/$1
  shift
  if [ -f "$state/skew.so" ]; then
    "$state/skew" "$file" "$@"
    return
  fi
  case $1 in
    jump) printf '%+f' "$2" > "$file" ;;
    right) echo +0 > "$file" ;;
    *) fail 1 "Clocks can only jump here, by libfaketime: for more, install gcc and libc6-dev." ;;
  esac
}
