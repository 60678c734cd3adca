# Each factor is measured by ordinary sessions, printed, and drawn.
export PRESTO_DB=presto.db
study() {
	presto study "$1" "$2" --values "$3" --runs 1 --set measure.min_run_time=0 --set measure.samples=24 \
	    --set measure.probe=no --set load.cache=none --set load.threads=1 --set strategies.split=resized \
	    --set strategies.store=tar --set strategies.codec=none --plot "$1.svg" "${@:4}" 2>err >"$1.csv" --csv ||
		cat err
	python3 - "$1" <<'END'
import csv, sys, xml.etree.ElementTree as tree
name = sys.argv[1]
rows = list(csv.DictReader(open(name + ".csv")))
for row in rows:
    rates = [float(row[f"throughput_{w}samples_per_s"]) for w in ("low_", "", "high_")]
    assert row["factor"] == name and rates == sorted(rates) and rates[0] > 0, row
    assert row["ratio_to_first"] or not row["value"], row
    assert row["storage_bytes"] and row["status"] == "done", row
print(name, *[f"{r['value'] or '-'}:{r['strategy']}" for r in rows])
svg = tree.parse(name + ".svg").getroot()
texts = [t.text for t in svg.iter("{http://www.w3.org/2000/svg}text")]
missing = {r["value"] or r["strategy"] for r in rows if r["value"]} - set(texts)
assert not missing, missing
assert svg.find("{http://www.w3.org/2000/svg}desc").text, "no description"
END
}
photos=$SMALL_PHOTOS/photos.conf
study threads "$photos" 1,2
study samples "$photos" 12,24
study codecs "$photos" none,gzip:1
study caches "$photos" none,system
study shards "$photos" 1,3
study shuffle "$photos" 0,16
cat >made.conf <<'END'
[dataset]
source = synthetic
shape = 64x64
count = 256
[pipeline]
same = identity
END
study sizes made.conf 1KB,64KB --set strategies.split=raw
cut -d, -f2,12 sizes.csv | sort -u
# Text and Markdown for people.
presto study threads "$photos" --values 1,2 --runs 1 --set measure.min_run_time=0 --set measure.samples=12 \
    --set strategies.split=resized --set load.cache=none --markdown 2>err | head -n 1
grep -c 'session .* has all figures: presto report --session' err
