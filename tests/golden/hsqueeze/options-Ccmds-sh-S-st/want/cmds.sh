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
  gnt-instance migrate -f -n head c.farm

echo jobset 2, 1 jobs
  echo job 2/1
  check
  gnt-instance migrate -f -n head d.farm

echo Tagging Commands
  gnt-node add-tags one htools:standby:auto
  gnt-node add-tags two htools:standby:auto
  gnt-node add-tags three htools:standby:auto

echo Power Commands
  gnt-node power -f off one
  gnt-node power -f off two
  gnt-node power -f off three
