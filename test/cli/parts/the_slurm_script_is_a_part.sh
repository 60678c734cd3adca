# As Slurm runs the script: its variables, and a path of its own.  A part that
# is run again alone names the number of all.
script=$here/../../scripts/cluster/slurm.sbatch
how=("$SMALL_PHOTOS/photos.conf" -s resized/tar/none -o out)
task() {
	SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_TASK_COUNT=$2 \
	    SLURM_ARRAY_TASK_MIN=$3 SLURM_ARRAY_TASK_MAX=$4 \
	    SLURM_CPUS_PER_TASK=1 SLURM_PROCID=0 SLURM_NTASKS=1 \
	    sh "$script" "${how[@]}" "${@:5}" 2>/dev/null |
	    sed 's/: [0-9]* samples.*//; s/ written in .*//'
}
grep -c '^#SBATCH' "$script"
task 0 3 0 2
task 2 3 0 2
task 1 1 1 1 --part 1/3
