# shellcheck shell=bash
# What scripts/test --full runs besides the ordinary tests; scripts/test sources this file.

: "${root:?is set by the script}"

# What rests most on PostgreSQL's and Redis' own behaviour.
readonly ON_SYSTEM_SERVERS='AppendStoreIT,KeptPlansIT,AppendTortureIT,ChangeStoreIT,ChangeTortureIT,EndedRightIT,HistoryStoreIT,VersionStoreIT,LogStoreIT,RestrictionIT,ReceivedMarkersIT,MarkerCallsIT,SqlRightsIT,MigrationsIT,EventStoreIT,RoomIT,RunRoomIT,AccountIT,RedisRecentWindowIT,RedisFanoutIT,RedisBucketsIT,RedisConnectionRegistryIT,RedisCommandsIT,RedisScriptIT,PubSubIT,TalkIT,TypingIT,EditIT,ResumeIT,RoomEffectsIT'

# A port that nothing listens on.
free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)) && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "$port"
}

# Runs a command as root: by sudo, where that asks for no password.
as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif sudo -n true; then
    sudo -n "$@"
  else
    echo "this needs root, or sudo without a password: $*" >&2
    return 1
  fi
}

# Each part goes on when one before it failed. Most of them wait more than they work. The last one makes the jar anew,
# which those before it run.
run_full() {
  beside packages_and_servers nodes_under_chaos redis_under_strikes
  part "artefacts of a release" release_artefacts
}

packages_and_servers() {
  part "Debian package" debian_package
  part "container image" as_root "$root/scripts/lib/try-image"
  part "PostgreSQL and Redis of the system" on_system_servers
}

nodes_under_chaos() {
  part "chaos" "$root/scripts/chaos" --minutes 2 --seed 9
  part "another user of the machine" another_user
}

redis_under_strikes() {
  part "web client" web_tests
  local mode
  for mode in standalone sentinel cluster; do
    part "Redis soak, $mode" "$root/scripts/soak-redis" --minutes 1 --mode "$mode"
  done
  part "simulator" "$root/scripts/simulate" --seeds 2000 --from 1
}

# Runs functions side by side, each of which runs parts, and prints what each has printed when it has ended. Maven makes
# nothing anew meanwhile: they share its folder, and the ordinary run has made all of it.
beside() {
  local folder each name pids=()
  folder=$(mktemp -d)
  for each; do
    touch "$folder/$each".{log,failed,ends}
    set -m # a group of its own, which can be ended as a whole
    (
      log=$folder/$each.log told=$folder/$each.told
      MAVEN_OPTS+=" -Dspotless.check.skip=true -Dexec.skip=true -Dmaven.resources.skip=true -Dmaven.main.skip=true"
      "$each"
      for name in "${failed[@]}"; do echo "$name"; done >"$folder/$each.failed"
      printf '%s' "$ends" >"$folder/$each.ends"
    ) </dev/null >"$folder/$each" 2>&1 &
    set +m
    pids+=("$!")
  done
  trap 'for each in "${pids[@]}"; do kill -- "-$each" 2>/dev/null; done; exit 130' INT TERM
  for each; do
    wait "${pids[0]}" || failed+=("$each")
    pids=("${pids[@]:1}")
    cat "$folder/$each"
    cat "$folder/$each.log" >>"${log:?is set by the script}"
    mapfile -t -O "${#failed[@]}" failed <"$folder/$each.failed"
    ends+=$(<"$folder/$each.ends")$'\n'
  done
  trap - INT TERM
  rm -rf "$folder"
}

# A cluster of PostgreSQL and a Redis of the system's versions, gone afterwards.
on_system_servers() {
  local folder port
  folder=$(mktemp -d)
  port=$(free_port)
  redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$folder" >"$folder/redis.log" &
  local redis=$! code=0
  # shellcheck disable=SC2016 # the variables are those that pg_virtualenv sets
  CONFAB_TEST_REDIS_URL=redis://127.0.0.1:$port pg_virtualenv -t -o max_connections=300 -o fsync=on bash -c '
    export CONFAB_TEST_POSTGRES_URL=postgresql://$PGUSER:$PGPASSWORD@$PGHOST:$PGPORT/$PGDATABASE
    "$@"' test mvn -f "$root/pom.xml" -B -ntp initialize failsafe:integration-test@side-by-side failsafe:verify@judge \
    -Dit.forks=1 "-Dit.test=$ON_SYSTEM_SERVERS" </dev/null 2>&1 | tee -a "${log:?is set by the script}" || code=$?
  kill "$redis"
  wait "$redis" || true
  rm -rf "$folder"
  return "$code"
}

# The package, made anew unless that has just been done, in the hands of dpkg.
debian_package() {
  local made
  made=$(find "$root"/target -maxdepth 1 -name 'confab_*.deb' -newer "$root/target/confab.jar" -newer "$root/scripts/deb")
  [[ -n $made ]] || "$root/scripts/deb" || return 1
  as_root "$root/scripts/lib/try-deb"
}

# What would be published: the jar, with licence, notices and bill of materials, and its sources.
release_artefacts() {
  local jar entry code=0
  maven package -P release -Dmaven.test.skip=true || return 1
  while read -r jar entry; do
    "$JAVA_HOME/bin/jar" tf "$root/target/$jar" | grep -qxF "$entry" ||
      { echo "$jar has no $entry" >&2; code=1; }
  done <<'EOF'
confab.jar LICENSE
confab-client.jar LICENSE
confab.jar NOTICE
confab.jar META-INF/sbom/confab.cdx.json
confab-sources.jar LICENSE
confab-sources.jar NOTICE
confab-sources.jar io/confab/Main.java
EOF
  return "$code"
}

# Another user of the machine gets nothing of a cluster that runs meanwhile, and tries each kind of port.
another_user() {
  local folder port cluster end listening ports said kind code=0
  as_root true || return 1
  folder=$(mktemp -d)
  chmod 755 "$folder" # what is looked at is the data folder
  : >"$folder/console"
  port=$(free_port)
  "$root/scripts/cluster" 2 --port "$port" --data-dir "$folder/data" >"$folder/console" 2>&1 &
  cluster=$!
  end=$((SECONDS + 300))
  until grep -q "The cluster is ready" "$folder/console"; do
    kill -0 "$cluster" 2>/dev/null && ((SECONDS < end)) || break
    sleep 0.2
  done
  listening=$(ss -ltnpH | grep -E "pid=($(pgrep -f -- "$folder/data" | paste -sd '|'))," | awk '{ print $4 }' | sort -u)
  if grep -vE '^(127\.0\.0\.1|\[::ffff:127\.0\.0\.1\]|\[::1\]):' <<<"$listening"; then
    echo "these are listened on beyond loopback" >&2
    code=1
  fi
  ports=$(sed -E 's/.*://' <<<"$listening" | sort -u | paste -sd ' ')
  said=$(as_root env PORTS="$ports" "$root/scripts/other-user" "$folder/data") || code=1
  for kind in environ 'files of' PostgreSQL Redis operator Hazelcast; do
    grep -q "^refused .*$kind" <<<"$said" || { echo "nothing was tried: $kind" >&2; code=1; }
  done
  [[ $code == 0 ]] || { echo "$said"; cat "$folder/console"; }
  kill "$cluster" 2>/dev/null
  wait "$cluster" || true
  rm -rf "$folder"
  return "$code"
}
