# Exit 4 names the rival; the command that settles it runs as it is printed.
sed "s,^path.*,path = $SMALL_PHOTOS," "$PHOTOS/photos.conf" >photos.conf
presto profile --set measure.min_run_time=0 --samples 8 --runs 6 --cache system --threads 1 \
    --codec none --store tar --split raw,resized photos.conf >/dev/null 2>&1
takes() { # STRATEGY MILLISECONDS [AND THAT IN ODD RUNS]: whatever the machine did
	sqlite3 presto.db "UPDATE run SET wall_ns = 1000000 * CASE run % 2 WHEN 1 THEN ${3:-$2} ELSE $2 END
	    WHERE trial IN (SELECT trial.id FROM trial JOIN strategy ON strategy.id = strategy WHERE label = '$1')"
}
ask() { # OPTIONS
	presto recommend "$@" >out 2>err || echo "exit $?"
	sed -n 's/^\(recommended: .*\)/\1/p; s/^  \(open .*\)/\1/p' out
	cat err
}
echo "-- each may be three times as fast"
takes unprocessed 900
takes raw/tar/none 30 100
takes resized/tar/none 110 35
ask
presto recommend --format json 2>err | grep -o '"settle": .*\|; it wins by a tie: [^;]*'
presto recommend >text 2>err || presto recommend --output file 2>err || cmp text file && echo "in a file, too"
settle=$(presto recommend 2>err | sed -n 's/^  to settle it  *//p')
presto materialize --out written 2>&1 >/dev/null | grep inconclusive
echo "-- the same as a report"
presto report --csv >report.csv
ask --from report.csv
echo "-- where the data does not stay in memory, by its first epochs"
ask --full-samples 1000000000000
settle_cold=$(sed -n 's/^  to settle it  *//p' out)
echo "-- known to some percent"
takes unprocessed 900
takes raw/tar/none 30 31
takes resized/tar/none 90 91
ask
echo "-- the commands run; three minutes are not needed here"
for command in "$settle" "$settle_cold"; do
	bash -euc "${command/3m/0.3s}" >text 2>/dev/null && grep -c '^recommended: ' text
	sqlite3 presto.db "SELECT DISTINCT cache FROM trial JOIN strategy ON strategy.id = strategy
	    WHERE session = (SELECT max(id) FROM session)"
done
