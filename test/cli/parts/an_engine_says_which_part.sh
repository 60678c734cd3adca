# The variables of each engine; --part and one process come before them.
write() {
	rm -rf out
	env "$@" presto materialize "$SMALL_PHOTOS/photos.conf" \
	    -s resized/tar/none -o out --threads 1 2>err | sed 's/: [0-9]* samples.*//'
	grep -o 'presto: part .*' err || true
}
write SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=0
write SLURM_PROCID=2 SLURM_NTASKS=4 SLURM_STEP_ID=0
write OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4
write JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=4
write RANK=1 WORLD_SIZE=4 TORCHELASTIC_RUN_ID=x
write RANK=1 WORLD_SIZE=4
write SLURM_PROCID=0 SLURM_NTASKS=4
write JOB_COMPLETION_INDEX=1 || true
cat err
JOB_COMPLETION_INDEX=1 presto materialize "$SMALL_PHOTOS/photos.conf" \
    -s resized/tar/none -o all --part 0/1 | sed 's/ as resized.*//'
presto materialize "$SMALL_PHOTOS/photos.conf" -s resized/tar/none \
    -o all --part 4/4 2>&1 || echo "status $?"
presto materialize "$SMALL_PHOTOS/photos.conf" -s resized/tar/none -n \
    --part 1/3 2>/dev/null | grep part
