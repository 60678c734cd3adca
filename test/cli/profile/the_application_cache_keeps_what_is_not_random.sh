presto profile --set measure.min_run_time=0 --samples 12 --runs 2 --epochs 3 --split resized --store tar,files \
    --codec none --cache none,application --threads 1,2 "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log
presto report --csv >r.csv
cut -d, -f4,10-12,14,15,30 r.csv
presto report --csv --what runs | grep unprocessed,2,application | cut -d, -f4-8
# Once it is filled only the random step is left, and nothing is read.
presto report --csv --what steps | grep unprocessed,2,application | cut -d, -f6,7
python3 -c '
import csv
for r in csv.DictReader(open("r.csv")):
    if r["cache"] == "application":
        assert float(r["read_mb_per_s"]) == 0
        assert float(r["throughput_samples_per_s"]) > 0
        assert float(r["first_epoch_samples_per_s"]) > 0
        assert float(r["predicted_samples_per_s"]) > 0
        assert r["resident_percent"] != ""
'
presto recommend --format csv | grep -c ',application,'
