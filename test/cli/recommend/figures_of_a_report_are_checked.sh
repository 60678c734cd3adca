# What is exported is read back as it was, also with a name that a spreadsheet
# would run; what was changed by hand is an error with row and column.
cp "$MEASURED" a.db
sqlite3 a.db "update session set pipeline = '=cmd()'"
presto report --db a.db --csv >a.csv
presto report --db a.db --json >a.json
grep -o "'=cmd()" a.csv | head -n 1
ranking() { # figures have six digits in CSV
	presto recommend "$@" --format csv | cut -d, -f1-3
}
ranking --db a.db >db
ranking --from a.csv | tee csv | cmp - db && echo "CSV: as the database"
ranking --from a.json | cmp - db && echo "JSON: as the database"
sed 's/$/\r/; 1s/^/\xef\xbb\xbf/' a.csv >windows.csv
ranking --from windows.csv | cmp - csv && echo "with a mark and CRLF: the same"

refused() { # WHAT SED-SCRIPT
	local status=0
	echo "$1:"
	sed "$2" a.csv >b.csv
	presto recommend --from b.csv >out 2>err || status=$?
	[ $status = 1 ] || echo "status $status"
	cut -c1-120 err
}
column() { # NAME: sed's pattern for the columns before it
	local n
	n=$(head -n 1 a.csv | tr , '\n' | grep -nx "$1" | cut -d: -f1)
	echo "^\(\([^,]*,\)\{$((n - 1))\}\)[^,]*"
}
refused "negative preparation" "3s/$(column prep_s)/\1-5/"
refused "a word for a number" "3s/$(column storage_bytes)/\1much/"
refused "minus three threads" "2s/$(column threads)/\1-3/"
refused "no number" "2s/$(column throughput_samples_per_s)/\1nan/"
refused "another word" "4s/$(column cache)/\1warm/"
refused "a trial twice" "3p"
refused "a column twice" "1s/bytes_per_sample/prep_s/"
refused "a short row" '4s/,[^,]*$//'
refused "a column less" "1s/prep_s/prep/"
