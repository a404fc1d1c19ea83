# shellcheck shell=bash
# Finds Node.js for the other scripts, which source this file.

readonly NODE_FLOOR=20

# Ends with a line when Node.js or npm is missing or too old: the web client is built with them.
find_node() {
  local found="no Node.js" fits=""
  if command -v node >/dev/null; then
    found="Node.js $(node --version)"
    [[ ! $found =~ v([0-9]+) ]] || ((BASH_REMATCH[1] < NODE_FLOOR)) || fits=yes
  fi
  if ! command -v npm >/dev/null; then
    found+=" and no npm"
    fits=""
  fi
  if [[ -z $fits ]]; then
    echo "Building Confab's web client needs Node.js $NODE_FLOOR or later with npm; here is $found. See https://nodejs.org/en/download." >&2
    exit 1
  fi
}
