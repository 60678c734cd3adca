# Without a pipeline file, --resume takes that of a session with all that was set.
cp "$MEASURED" presto.db
mkdir elsewhere
cd elsewhere
presto profile --db ../presto.db --resume --runs 2 --name again >/dev/null 2>log
grep -c 'there is no session to resume' log
presto report --db ../presto.db --csv --session all | python3 -c '
import csv, sys
seen = {}
for row in csv.DictReader(sys.stdin):
    seen.setdefault(row["pipeline"], []).append((row["strategy"], row["threads"], row["cache"], row["source_samples"], row["runs"]))
for name, rows in seen.items():
    print(name, sorted(rows))'
cd ..
presto profile 2>&1 || echo "exit $?"
presto profile --session 1 "$SMALL_PHOTOS/photos.conf" 2>&1 || echo "exit $?"
presto profile --resume --session 9 2>&1 || echo "exit $?"
