how=(--runs 5 --set measure.min_run_time=0 --samples 8 --cache none --codec none --store tar --split resized
    --threads 1 --set storage.latency=2ms "$SMALL_PHOTOS/photos.conf")
measure() { # as soon as there is data: what happens to presto.db
	presto profile "${how[@]}" >out 2>log &
	while ! ls -d presto-work-*/*/ >/dev/null 2>&1; do
		sleep 0.01
	done
	"$@"
	wait $!
	grep -q resized/tar/none out && echo reported
	grep -o 'the result database.*' log
}
lose() {
	rm presto.db*
}
replace() {
	rm presto.db*
	echo theirs >presto.db
}
measure lose
sqlite3 presto.db 'select id, state, (select count(*) from trial) > 0 from session'
rm presto.db
measure replace
sqlite3 presto-2.db 'select id, state, (select count(*) from trial) > 0 from session'
cat presto.db
presto report --db presto-2.db --csv | cut -d , -f 2,4
ls
