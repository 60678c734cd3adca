#!/bin/sh
# slurm.sh - materializes a dataset as a Slurm array, and joins the parts by a job
# behind it, should the task that was joining them have been killed.
#
# usage: scripts/cluster/slurm.sh PARTS PIPELINE.conf --strategy NAME \
#            --out DIR [OPTION]...
#
# The jobs are those of slurm.sbatch, with the options that $SBATCH has:
# SBATCH="sbatch --cpus-per-task=8".  The last one names a part that is missing.
set -eu
if [ $# -lt 2 ]; then
	sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p;}' "$0" >&2
	exit 2
fi
parts=$1
script=$(dirname "$0")/slurm.sbatch
shift
# shellcheck disable=SC2086 # a command with its options
id=$(${SBATCH:-sbatch} --parsable --array="0-$((parts - 1))" "$script" "$@")
# shellcheck disable=SC2086
${SBATCH:-sbatch} --array=0 --dependency="afterany:${id%%;*}" "$script" "$@" \
    --finish
