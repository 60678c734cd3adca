# By Open MPI itself, with no option of presto's; where it is not installed, the
# variables that it sets stand for it.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export MPIRUN="mpirun --oversubscribe --mca plm_rsh_agent false"
how=("$SMALL_PHOTOS/photos.conf" -s resized/tar/none --shuffle 7 --threads 1)
presto materialize "${how[@]}" -o whole >/dev/null
if command -v mpirun >/dev/null; then
	"$here/../../scripts/cluster/mpirun.sh" 4 "${how[@]}" -o parts >out
else
	for i in 0 1 2 3; do
		OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=4 \
		    presto materialize "${how[@]}" -o parts
	done >out
fi
grep -c 'part ./4 (Open MPI): .* samples' out
diff -r whole parts && echo same
echo "-- a rank that is killed leaves its part, which is named"
cat >killed <<'END'
#!/bin/bash
for i in 0 1 3; do
	"${@:3}" --part $i/4 || exit
done
exit 137
END
chmod +x killed
MPIRUN=./killed "$here/../../scripts/cluster/mpirun.sh" 4 "${how[@]}" -o less \
    2>&1 >/dev/null | grep -o 'less: part 2/4 is missing'
