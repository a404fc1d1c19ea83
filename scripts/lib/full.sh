# shellcheck shell=bash
# What scripts/test --full runs besides the ordinary tests; scripts/test sources this file.

: "${root:?is set by the script}"

# What rests most on PostgreSQL's and Redis' own behaviour.
readonly ON_SYSTEM_SERVERS='AppendStoreIT,AppendTortureIT,ChangeStoreIT,ChangeTortureIT,EndedRightIT,HistoryStoreIT,VersionStoreIT,LogStoreIT,RestrictionIT,SqlRightsIT,MigrationsIT,EventStoreIT,RoomIT,RunRoomIT,AccountIT,RedisRecentWindowIT,RedisFanoutIT,RedisBucketsIT,RedisConnectionRegistryIT,RedisCommandsIT,RedisScriptIT,PubSubIT,TalkIT,TypingIT,EditIT,ResumeIT,RoomEffectsIT'

# A port that nothing listens on.
free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)) && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "$port"
}

# Each part goes on when one before it failed.
run_full() {
  part "PostgreSQL and Redis of the system" on_system_servers
  part "chaos" "$root/scripts/chaos" --minutes 2 --seed 9
  part "simulator" "$root/scripts/simulate" --seeds 2000 --from 1
  local mode
  for mode in standalone sentinel cluster; do
    part "Redis soak, $mode" "$root/scripts/soak-redis" --minutes 1 --mode "$mode"
  done
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
    "$@"' test mvn -f "$root/pom.xml" -B -ntp verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
    -Dit.forks=1 "-Dit.test=$ON_SYSTEM_SERVERS" </dev/null 2>&1 | tee -a "${log:?is set by the script}" || code=$?
  kill "$redis"
  wait "$redis" || true
  rm -rf "$folder"
  return "$code"
}
