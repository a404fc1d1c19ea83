# shellcheck shell=bash
# A root of its own below a folder, where steps of an installation are taken; sourced by those that try them.

export PATH=$PATH:/usr/sbin:/sbin
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
inside=$scratch/root

# A program of this system, with the libraries that it is linked with.
carry() {
  local program file
  program=$(command -v "$1")
  install -D -m 755 "$program" "$inside/usr/bin/$1"
  for file in $(ldd "$program" | grep -o '/[^ )]*'); do
    install -D -m 755 "$file" "$inside$file"
  done
}

# make_root PROGRAM…: with these and nobody but root.
make_root() {
  local program
  mkdir -p "$inside"/{dev,etc,run,tmp,var/lib,usr/bin}
  ln -s usr/bin "$inside/bin"
  ln -s bin "$inside/usr/sbin"
  touch "$inside/dev/null"
  echo root:x:0:0::/:/bin/sh >"$inside/etc/passwd"
  echo root:x:0: >"$inside/etc/group"
  touch "$inside"/etc/{shadow,gshadow}
  for program; do
    carry "$program"
  done
}

# is WHAT EXPECTED FOUND
is() {
  [[ $2 == "$3" ]] || { printf '%s: "%s" and not "%s"\n' "$1" "$3" "$2" >&2; exit 1; }
}
