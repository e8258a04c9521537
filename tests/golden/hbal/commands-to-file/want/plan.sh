#!/bin/sh

# Auto-generated script for executing cluster rebalancing

# To stop, touch the file /tmp/stop-htools

set -e

check() {
  if [ -f /tmp/stop-htools ]; then
    echo 'Stop requested, exiting'
    exit 0
  fi
}


echo jobset 1, 1 jobs
  echo job 1/1
  check
  gnt-instance migrate -f mail
  gnt-instance replace-disks -n gamma mail
  gnt-instance migrate -f mail

echo jobset 2, 1 jobs
  echo job 2/1
  check
  gnt-instance replace-disks -n delta wiki
  gnt-instance migrate -f wiki

echo jobset 3, 1 jobs
  echo job 3/1
  check
  gnt-instance migrate -f shop
  gnt-instance replace-disks -n delta shop

echo jobset 4, 1 jobs
  echo job 4/1
  check
  gnt-instance replace-disks -n gamma old

echo jobset 5, 1 jobs
  echo job 5/1
  check
  gnt-instance replace-disks -n delta ldap
