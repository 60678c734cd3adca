# An engine starts 64: this one waits for part 0, whose job has the listing.
conf=$SMALL_PHOTOS/photos.conf
part() {
	OMPI_COMM_WORLD_RANK=$1 OMPI_COMM_WORLD_SIZE=64 presto materialize "$conf" \
	    -o out --threads 1 --shards 24 "${@:2}"
}
part 42 2>err >said &
while ! grep -q waiting err 2>/dev/null; do
	sleep 0.01
done
part 0 -s resized/tar/none --shuffle 3 2>/dev/null | sed 's/ read back.*//'
wait
# It has no strategy of its own: that is the job's.
sed 's/ read back.*//' said
grep -o 'waiting.*' err
