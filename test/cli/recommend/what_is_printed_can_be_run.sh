# The command is run as it is printed, from where it is printed.
mkdir -p "it's here" away
cp "$MEASURED" presto.db
takes() { # STRATEGY NANOSECONDS: whatever else the machine did
	sqlite3 presto.db "UPDATE run SET wall_ns = $2 WHERE trial IN
	    (SELECT trial.id FROM trial JOIN strategy ON strategy.id = strategy WHERE label = '$1')"
}
takes unprocessed 90000000
takes raw/tar/none 9000000
takes resized/tar/none 900000
next() {
	presto recommend "$@" | sed -n 's/^  next  *//p'
}
run() {
	local command
	command=$(next "$@")
	echo "$command"
	bash -euc "$command" >/dev/null 2>&1
	grep '^strategy' "${command##* }/presto.manifest"
}
cp presto.db "it's here/p q.db"
echo "-- here"
run
echo "-- another one"
run --max-storage 5MB
echo "-- elsewhere"
cd away
run --db "../it's here/p q.db"
PRESTO_DB="../it's here/p q.db" next
echo "-- in other forms"
next --db "../it's here/p q.db" >text
presto recommend --db "../it's here/p q.db" --format markdown | sed -n 's/^- next: `\(.*\)`$/\1/p' | diff - text && echo "Markdown is the same"
presto recommend --db "../it's here/p q.db" --format json | grep -c '"command": "presto materialize --db .* --out photos-'
echo "-- of a report"
presto report --db "../it's here/p q.db" --json >report.json
next --from report.json | sed 's|materialize .*photos.conf|materialize PHOTOS|'
