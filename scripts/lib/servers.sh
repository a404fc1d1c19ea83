# shellcheck shell=bash
# Finds PostgreSQL and Redis of the system's packages for the other scripts, which source this file.

# Sets $postgres_programs, a folder, and $redis_program, or says what is missing and ends.
find_system_servers() {
  local folder
  postgres_programs=""
  for folder in /usr/lib/postgresql/*/bin; do
    [[ ! -x $folder/initdb ]] || postgres_programs=$folder
  done
  if [[ -z $postgres_programs ]] || ! redis_program=$(command -v redis-server); then
    echo "This needs the packages postgresql and redis-server: apt-get install postgresql redis-server" >&2
    exit 1
  fi
}
