# shellcheck shell=bash
# Builds the jar for the other scripts, which source this file after jdk.sh and set $root.

# shellcheck source=scripts/lib/node.sh
source "${root:?is set by the script}/scripts/lib/node.sh"

# Ends with a hint when Maven is missing; else prepares its environment.
find_maven() {
  if ! command -v mvn >/dev/null; then
    cat >&2 <<EOF
Confab is built with Maven 3.8 or later, and \`mvn\` is not on the PATH.
Get it from the site of the Apache Maven project, or with
  apt install maven    (Debian, Ubuntu)
  brew install maven   (macOS)
EOF
    exit 1
  fi
  # Some versions of Maven bring libraries that JDK 25 warns about. A build ends before the JVM's second compiler pays.
  export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow -XX:TieredStopAtLevel=1"
}

# Sets $jar, and builds it when it is missing or older than what it is made of.
build_jar() {
  jar=$root/target/confab.jar
  if [[ -e $jar && -z $(find "$root/src/main" "$root/conf" "$root/pom.xml" "$root/web" \
    \( -name node_modules -o -name dist \) -prune -o -newer "$jar" -print -quit) ]]; then
    return
  fi
  find_maven
  find_node
  local log=$root/target/build.log
  echo "Building target/confab.jar (the first time Maven loads its dependencies) …" >&2
  mkdir -p "$root/target"
  # A node may be running from the old jar: unlinked, it stays whole for that one.
  rm -f "$jar"
  # JDK_JAVA_OPTIONS is for the node.
  if ! env -u JDK_JAVA_OPTIONS mvn -f "$root/pom.xml" -B -ntp -Dmaven.test.skip=true package </dev/null 2>&1 |
    tee "$log" | sed -n 's/^\[INFO\] --- \([a-z-]*\):[^ ]* .*/  \1/p' >&2; then
    echo "The build failed; target/build.log has all of it, and these are its errors:" >&2
    grep -m 20 -E 'ERROR|BUILD|WARNING.*\.java' "$log" >&2 || tail -n 20 "$log" >&2
    exit 1
  fi
}
