# Decoded photographs on a storage of 2 MB/s cannot win, by far: they are not measured, and the report says why.
presto profile --search auto --samples 12 --runs 2 --set measure.min_run_time=0 --cache none --codec none --store tar \
	--set storage.bandwidth=2MB/s "$PHOTOS/photos.conf" >table 2>log || cat log
presto report --csv >report.csv
python3 - <<'PY'
import csv

rows = list(csv.DictReader(open("report.csv")))
left = [row for row in rows if row["source"] == "predicted"]
done = [row for row in rows if row["source"] == "measured"]
print("unprocessed measured:", any(row["strategy"] == "unprocessed" for row in done))
print("decoded left out:", [row["strategy"] for row in left if row["split"] == "decoded"])
print("all have a bound, words, and no rank:", all(float(row["bound_high_samples_per_s"]) > 0 and "it cannot win" in row["why"] and not row["rank"] for row in left))
print("none has runs:", all(row["status"] == "skipped" and row["runs"] == "0" for row in left))
PY
grep -c "trials were measured, .* ruled out by" table
