# SPDX-License-Identifier: BSD-2-Clause
# Sourced by the scripts of this folder: where the project is, what it needs, how it is built.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd_root() { cd "$root"; }

build_packages=(g++ cmake ninja-build ccache libfmt-dev libexpected-dev librange-v3-dev nlohmann-json3-dev libyaml-cpp-dev
  libcurl4-openssl-dev libcli11-dev doctest-dev python3)
test_packages=(ganeti-htools-3.0 python3-yaml librapidcheck-dev mandoc python3-jsonschema openssl chromium man-db jq prometheus zsh fish dpkg-dev file)
check_packages=(clang clang-tidy clang-format libclang-rt-14-dev doxygen lintian)
arm64_packages=(g++-aarch64-linux-gnu qemu-user)
bench_packages=(ganeti-htools-3.0 hyperfine libbenchmark-dev)

say() { echo "${0##*/}: $*" >&2; }

# need PACKAGE...: installs those that are missing; says what to do where it may not.
need() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local become=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "these packages are missing, install them as root: ${missing[*]}"; exit 1; }
    become=(sudo)
  fi
  say "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  "${become[@]}" apt-get update -qq >&2
  "${become[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure PRESET: where that was not done yet.
configure() {
  local log
  cd_root
  [ ! -f "build/$1/build.ninja" ] || return 0
  say "configuring build/$1"
  log=$(mktemp)
  cmake --preset "$1" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; exit 1; }
  rm -f "$log"
}

# build PRESET [TARGET...]
build() {
  local preset=$1 log
  shift
  configure "$preset"
  log=$(mktemp)
  say "building build/$preset (the first time takes some minutes)"
  ninja -C "build/$preset" "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; exit 1; }
  rm -f "$log"
}
