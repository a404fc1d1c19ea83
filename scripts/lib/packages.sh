# shellcheck shell=bash
# The packages of Debian that scripts/test --full needs, for the scripts that source this file.

# Prints the name of each that is missing, one a line.
missing_packages() {
  local program package
  while read -r program package; do
    command -v "$program" >/dev/null || echo "$package"
  done <<'EOF'
mvn maven
pg_virtualenv postgresql
redis-server redis-server
git git
curl curl
script bsdutils
setpriv util-linux
systemd-analyze systemd
ss iproute2
pgrep procps
node nodejs
npm npm
chromium chromium
python3 python3
EOF
}

# Ends with 1, naming all that are missing.
require_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  if ((${#missing[@]} > 0)); then
    echo "--full needs packages that are not installed: apt-get install ${missing[*]}" >&2
    exit 1
  fi
}
