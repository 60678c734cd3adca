cp "$MEASURED" base.db
sqlite3 base.db 'UPDATE run SET wall_ns = 100000000 + 1000000 * (run * (2 + (SELECT strategy FROM trial WHERE id = run.trial)) % 7), user_ns = 90000000, system_ns = 0, others_ns = 0, stolen_ns = 0, reference_ns = NULL'
cp base.db new.db
sqlite3 new.db 'UPDATE run SET wall_ns = wall_ns * 2'
presto compare base.db new.db --format csv 2>/dev/null | head -n 1
presto compare base.db new.db --format markdown 2>/dev/null | grep -c '^|'
presto compare base.db new.db --format json >new.json 2>/dev/null || echo "exit $?"
presto compare base.db new.db --form bmf >compare-bmf.json 2>/dev/null || echo "exit $?"
presto compare base.db new.db --form github-action-benchmark >compare-github.json 2>/dev/null || echo "exit $?"
presto report --db base.db --json --form bmf >bmf.json
presto report --db base.db --json --form github-action-benchmark >github.json
python3 - <<'END'
import json
new = json.load(open("new.json"))
print(sorted(new), new["verdict"], round(new["mean_ratio"], 3))
print(sorted(new["trials"][0]))
for name in ("bmf.json", "compare-bmf.json"):
    bmf = json.load(open(name))
    for key in sorted(bmf):
        print(key, {k: sorted(v) for k, v in sorted(bmf[key].items())})
    print(round(bmf["photos/unprocessed threads=1 cache=system"]["throughput"]["value"], 1))
for name in ("github.json", "compare-github.json"):
    for row in json.load(open(name)):
        print(row["name"], row["unit"], round(row["value"], 1), row["range"], row["extra"].split(";")[0].split(",")[0],
              row["extra"].split("; ")[-1] if "compare" in name else "")
END
presto report --db base.db --form bmf 2>&1 || echo "exit $?"
presto report --db base.db --json --form bmf --what runs 2>&1 || echo "exit $?"
