#!/bin/sh
# mpirun.sh - materializes a dataset by MPI's launcher: each rank is a part.
#
# usage: scripts/cluster/mpirun.sh RANKS PIPELINE.conf --strategy NAME \
#            --out DIR [OPTION]...
#
# presto takes its rank from the launcher, and the rank that is last joins all.
# --finish, behind them, names a part that is missing.  The same command again
# makes what a killed rank left.
# Hosts are those of $MPIRUN: MPIRUN="mpirun --hostfile hosts".
set -eu
if [ $# -lt 2 ]; then
	sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p;}' "$0" >&2
	exit 2
fi
ranks=$1
shift
status=0
trap 'exit 130' INT
# shellcheck disable=SC2086 # a command with its options
${MPIRUN:-mpirun} -n "$ranks" presto materialize "$@" || status=$?
for word in "$@"; do
	case $word in
	-n | --dry-run) exit "$status" ;;
	esac
done
exec presto materialize "$@" --finish
