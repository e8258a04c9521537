#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# gnt-instance, gnt-node, gnt-cluster and ssh of a cluster that is a folder: $FAKE_WORLD, written by run.py.
#   instance/NAME   "PRIMARY SECONDARY STATUS", - for no secondary
#   node/NAME       Y where it is offline, else N
#   shown/NAME      "LOOKS" and what stood in the file above before the last change: so many looks still show it
# $FAKE_LATE: LOOKS after a change. $FAKE_STUCK: nothing that is done to this instance or node ever shows.
# $FAKE_FAIL: a command that contains this text fails. Every command but looks is written to $FAKE_CALLS.
set -eu
tool=${0##*/}
line="$tool $*"

# full NAME: sets $name; Ganeti takes the first part of a name for the whole
full() {
  for file in "$FAKE_WORLD/instance/$1" "$FAKE_WORLD/node/$1" "$FAKE_WORLD/instance/$1".* "$FAKE_WORLD/node/$1".*; do
    if [ -e "$file" ]; then name=${file##*/}; return; fi
  done
  name=$1
}

# state KIND NAME: sets $state to what a look shows
state() {
  read -r state < "$FAKE_WORLD/$1/$2"
  [ -e "$FAKE_WORLD/shown/$2" ] || return 0
  read -r looks old < "$FAKE_WORLD/shown/$2"
  [ "$looks" -gt 0 ] || return 0
  echo "$((looks - 1)) $old" > "$FAKE_WORLD/shown/$2"
  state=$old
}

# change KIND NAME STATE
change() {
  read -r old < "$FAKE_WORLD/$1/$2"
  looks=${FAKE_LATE:-0}
  [ "$2" != "${FAKE_STUCK:-}" ] || looks=1000000000
  echo "$looks $old" > "$FAKE_WORLD/shown/$2"
  echo "$3" > "$FAKE_WORLD/$1/$2"
}

count_instances() {
  primaries=0 secondaries=0
  for file in "$FAKE_WORLD"/instance/*; do
    read -r primary secondary status < "$file"
    [ "$primary" != "$1" ] || primaries=$((primaries + 1))
    [ "$secondary" != "$1" ] || secondaries=$((secondaries + 1))
  done
}

# A look: list --no-headers [--separator=C] -o FIELDS NAME
list() {
  separator=' '
  while [ $# -gt 1 ]; do
    case $1 in
      --separator=*) separator=${1#*=} ;;
      -o) fields=$2; shift ;;
    esac
    shift
  done
  full "$1"
  if [ "$tool" = gnt-instance ]; then
    state instance "$name"
    read -r primary secondary status <<END
$state
END
    [ "$secondary" != - ] || secondary=
  else
    state node "$name"
    offline=$state
    count_instances "$name"
  fi
  case $fields in
    pnode,snodes) echo "$primary$separator$secondary" ;;
    status) echo "$status" ;;
    offline) echo "$offline" ;;
    pinst_cnt,sinst_cnt) echo "$primaries$separator$secondaries" ;;
    *) echo "fake: unknown fields $fields" >&2; exit 9 ;;
  esac
}

# do_instance VERB [-f] [-n NODE] NAME
do_instance() {
  verb=$1 target=
  while [ $# -gt 1 ]; do
    if [ "$1" = -n ]; then full "$2"; target=$name; shift; fi
    shift
  done
  full "$1"
  read -r primary secondary status < "$FAKE_WORLD/instance/$name"
  case $verb:$target in
    migrate: | failover:) change instance "$name" "$secondary $primary $status" ;;
    migrate:* | failover:* | move:*) change instance "$name" "$target - $status" ;;
    replace-disks:?*) change instance "$name" "$primary $target $status" ;;
    shutdown:) change instance "$name" "$primary $secondary ADMIN_down" ;;
    startup:) change instance "$name" "$primary $secondary running" ;;
    *) echo "fake: unknown command $line" >&2; exit 9 ;;
  esac
}

do_node() {
  case $1 in
    add-tags | remove-tags | power) ;;
    modify)
      full "$3"
      case $2 in
        --offline=yes) change node "$name" Y ;;
        --offline=no) change node "$name" N ;;
        *) echo "fake: unknown command $line" >&2; exit 9 ;;
      esac ;;
    *) echo "fake: unknown command $line" >&2; exit 9 ;;
  esac
}

case $line in
  "ssh "*shutdown* | "ssh "*reboot) is_look=false ;;
  "ssh "* | "gnt-instance list "* | "gnt-instance info "* | "gnt-node list "* | "gnt-cluster verify-disks") is_look=true ;;
  *) is_look=false ;;
esac
$is_look || echo "$line" >> "$FAKE_CALLS"
case $line in
  *"${FAKE_FAIL:-no such command}"*) echo "$tool: fake failure" >&2; exit 1 ;;
esac
case $tool in
  ssh) case " $line " in *" ${FAKE_STUCK:-no such host} "*) ! $is_look ;; esac ;;
  gnt-cluster) ;;
  *)
    if [ "$1" = info ]; then
      echo "  on primary: /dev/drbd0 in sync, status ok"
    elif $is_look; then
      shift
      list "$@"
    else
      "do_${tool#gnt-}" "$@"
    fi ;;
esac
