echo mine >mine
trap_of() { # NAME...: links and a file where a program might write first
	for name; do
		ln -sf "$PWD/mine" "$name.tmp"
		ln -sf "$PWD/mine" "$name~"
		echo theirs >"$name.new.tmp"
	done
}
check() { # NAME...
	for name; do
		[ -L "$name.tmp" ] && [ -L "$name~" ] && [ "$(cat "$name.new.tmp")" = theirs ] || echo "$name: lost"
		rm -f "$name.tmp" "$name~" "$name.new.tmp"
	done
	cat mine
}
# What the user names, and what a link of that name leads to.
trap_of report.csv page.html answer.json skips.txt
presto report --db "$MEASURED" --csv --output report.csv
presto report --db "$MEASURED" --format html --output page.html 2>/dev/null
presto recommend --db "$MEASURED" --format json --output answer.json 2>/dev/null || [ -s answer.json ]
presto recommend --db "$MEASURED" --format json --output answer.json 2>/dev/null || [ -s answer.json ]
check report.csv page.html answer.json
ln -s there.csv link.csv
presto report --db "$MEASURED" --csv --output link.csv
presto report --db "$MEASURED" --csv --output link.csv
cmp report.csv there.csv && readlink link.csv
presto report --db "$MEASURED" --csv --output /dev/stdout | cmp - report.csv
mkfifo pipe
cat pipe >piped.csv &
presto report --db "$MEASURED" --csv --output pipe
wait $!
cmp piped.csv report.csv

# A session, with its database and work folder.
trap_of presto.db presto.db-wal presto.db-journal
presto profile --db presto.db --samples 4 --runs 1 --set measure.min_run_time=0 --threads 1 --cache none --split resized --store files \
	--codec none --skipped skips.txt "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
check presto.db presto.db-wal presto.db-journal skips.txt
# What SQLite keeps beside a database is never another file.
ln -s "$PWD/mine" other.db-wal
ln -s "$PWD/mine" other.db-journal
ln -s "$PWD/mine" other.db-shm
presto profile --db other.db --samples 4 --runs 1 --set measure.min_run_time=0 --threads 1 --cache none --split resized --store tar \
	--codec none "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1 || echo refused
cat mine

# Every name that a materialised folder has, whose shards are written again.
for store in tar files; do
	presto materialize "$SMALL_PHOTOS/photos.conf" --strategy "resized/$store/none" --out data >/dev/null 2>&1
	(cd data && ls -A) >names
	while read -r name; do
		trap_of "data/$name"
	done <names
	rm -r data/shard-000000*[^~wp]
	presto materialize "$SMALL_PHOTOS/photos.conf" --strategy "resized/$store/none" --out data >/dev/null 2>log || cat log
	while read -r name; do
		[ -e "data/$name" ] || echo "no $name"
		check "data/$name"
	done <names | uniq
	rm -r data
done
