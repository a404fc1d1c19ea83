# shellcheck shell=bash
# Finds a JDK for the other scripts, which source this file.

readonly JDK_FLOOR=25

# Prints the feature version (25, 26 …) of the JDK in folder $1; fails when there is none.
jdk_version() {
  [[ -x $1/bin/java ]] || return 1
  local version=""
  if [[ -r $1/release ]]; then
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  fi
  if [[ -z $version ]]; then
    version=$("$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
  fi
  [[ -n $version ]] && printf '%s\n' "$version"
}

# Prints folders that may hold a JDK, one a line, the most wanted first.
jdk_candidates() {
  if [[ -n ${JAVA_HOME:-} ]]; then
    printf '%s\n' "$JAVA_HOME"
  fi
  local java
  if java=$(command -v java); then
    java=$(readlink -f "$java" 2>/dev/null || printf '%s' "$java")
    printf '%s\n' "${java%/bin/java}"
  fi
  local folder
  for folder in /usr/lib/jvm/* /usr/java/* /opt/* /opt/java/* "$HOME"/.sdkman/candidates/java/* \
    "$HOME"/.jdks/* "$HOME"/.asdf/installs/java/* "$HOME"/.local/share/mise/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [[ -d $folder ]]; then
      printf '%s\n' "$folder"
    fi
  done
  if [[ -x /usr/libexec/java_home ]]; then
    /usr/libexec/java_home -v "$JDK_FLOOR+" 2>/dev/null || true
  fi
}

# Sets and exports JAVA_HOME to the first JDK that is new enough, or says how to get one and ends.
find_jdk() {
  local folder version
  while IFS= read -r folder; do
    if version=$(jdk_version "$folder") && ((version >= JDK_FLOOR)) && [[ -x $folder/bin/javac ]]; then
      export JAVA_HOME=$folder
      return
    fi
  done < <(jdk_candidates)
  cat >&2 <<EOF
Confab needs a JDK $JDK_FLOOR or later, and none was found: not in JAVA_HOME, on the PATH, nor in the usual
folders (/usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks …).
Get one from https://adoptium.net/temurin/releases/?version=$JDK_FLOOR, or with
  sdk install java $JDK_FLOOR-tem          (SDKMAN)
  apt install openjdk-$JDK_FLOOR-jdk       (Debian, Ubuntu, where they have it)
and set JAVA_HOME if it lies in an unusual place.
EOF
  exit 1
}
