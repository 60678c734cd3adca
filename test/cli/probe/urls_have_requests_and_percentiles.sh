. "$here/../far/s3.sh"
mkdir -p store/data/small store/data/large store/scratch
for i in 1 2 3; do
	head -c 2000 /dev/zero >store/data/small/$i
	head -c 1000000 /dev/zero >store/data/large/$i
done
s3_start store
probe() {
	presto probe -t 1,2 --size 20KB "$@"
}
echo 'rows:'
probe --csv s3://data | tail -n +2 | cut -d, -f 3-5
echo 'all figures are there:'
probe --csv s3://data >rows.csv
python3 - <<'END'
import csv

for row in csv.DictReader(open("rows.csv")):
    p50, p90, p99 = (float(row[f"latency_p{p}_ms"]) for p in (50, 90, 99))
    assert 0 < p50 <= p90 <= p99
    assert float(row["requests_per_s"]) > 0 and float(row["mb_per_s"]) > 0
    assert int(row["requests"]) > 0 and row["cost_per_million"] == ""
END
echo 'one object, with prices:'
cat >prices.conf <<'C'
[prices]
currency = EUR
request_1000 = 0.0004
write_1000 = 0.005
C
probe --prices prices.conf --csv s3://data/small/1 | tail -n +2 | cut -d, -f 3-5,12,13
probe --prices prices.conf s3://data/small |
    grep -o -e 'EUR to read all 3 objects' -e 'cold by nature'
echo 'writing, and removing:'
probe --csv --write s3://scratch/here s3://data/small | tail -n +2 | cut -d, -f 3-5
find store/scratch -type f
echo 'mistakes:'
try() {
	presto probe "$@" 2>&1 | sed "s,http://127[^ ]*: ,,"
}
try --warm s3://data
try --db x.db s3://data
try --write here s3://data
try --prices prices.conf .
try s3://data/nothing
try s3://x
try s3://missing/x
