# Signals of 0 to 900 rows: their columns, windows of 64 (none to 14 of a
# file), and powers, of float64, from each store, by each way of loading.
mkdir signals
i=0
for rows in 0 1 63 64 900 129; do
	i=$((i + 1))
	awk -v rows=$rows 'BEGIN { print "v,c"
		for (k = 0; k < rows; k++) print sin(k / 9) "," k * 7 % 31 }' \
	    >signals/$i.csv
done
cat >signals.conf <<'C'
[dataset]
source = folder
path = signals

[pipeline]
columns = csv
windows = window length=64
powers = aggregate period=8

[strategies]
store = files, tar, tfrecord, npy
codec = none, shuffle+zstd:1

[load]
threads = 3
cache = none, application
batch = 4

[measure]
runs = 1
min_run_time = 0
epochs = 2
C
presto profile signals.conf >/dev/null 2>log
grep -o 'left out [a-z]*/npy.*' log | cut -d: -f1
echo "the same? status, samples"
presto report --csv | tail -n +2 | cut -d, -f12,14,30 | sort | uniq -c | tr -s ' '
