probe() {
	presto probe --tool presto --size 1MiB --files 4 -t 1 "$@" . 2>/dev/null
}
probe --csv --warm >csv
sed 1q csv
sed 1d csv | cut -d, -f3,4,6-8 | tr , ' '
cut -d, -f5 csv | grep -c '^warm$'
probe --json | sed -n 's/^ *"\(tool\|reading\|threads\|file_bytes\)"/\1/p'
probe --markdown | grep '^| reading'
ls
