# shellcheck shell=bash
# Makes starts faster by a cache of what the JVM learns of the jar, for scripts that source this file and have $jar and
# $JAVA_HOME. The JVM compares jar and JDK with those that the cache was made with, and does without it where they differ.

readonly LEARNING_LIMIT=300 # seconds

# Sets $fast to options for the JVM, and makes the cache when there is none of this jar. What goes wrong costs only time,
# once: an empty cache says that it was tried.
fast_start() {
  local cache=${jar%.jar}.aot
  fast=('-Xlog:aot*=off')
  if [[ ! $cache -nt $jar ]]; then
    echo "Preparing faster starts (once after each build) …" >&2
    if ! learn_start "$cache" && [[ -z ${stopping:-} ]]; then
      : >"$cache"
    fi
  fi
  if [[ -s $cache ]]; then
    fast+=("-XX:AOTCache=$cache")
  fi
}

# Starts a node once, with people and messages, on data that is thrown away: nothing of the settings of this machine
# reaches it.
learn_start() {
  local cache=$1 scratch learner end code=0
  scratch=$(mktemp -d) || return
  chmod 755 "$scratch" # as root, PostgreSQL and Redis run as somebody else
  env -i PATH="$PATH" HOME="${HOME:-$scratch}" "$JAVA_HOME/bin/java" --sun-misc-unsafe-memory-access=allow \
    -XX:+UseCompactObjectHeaders "-XX:AOTCacheOutput=$scratch/aot" \
    -jar "$jar" serve --demo --port 0 --management-port 0 --data-dir "$scratch/data" </dev/null >"$scratch/log" 2>&1 &
  learner=$!
  end=$((SECONDS + LEARNING_LIMIT))
  until grep -qs '^Sign in as' "$scratch/log" || ((SECONDS > end)) || [[ -n ${stopping:-} ]] ||
    ! kill -0 "$learner" 2>/dev/null; do
    sleep 0.1
  done
  kill -TERM "$learner" 2>/dev/null || true
  while kill -0 "$learner" 2>/dev/null; do # a signal ends `wait` early
    wait "$learner" || true
  done
  { [[ -s $scratch/aot ]] && cp "$scratch/aot" "$cache.new.$$" && mv -f "$cache.new.$$" "$cache"; } 2>/dev/null || code=1
  rm -rf "$scratch"
  return "$code"
}
