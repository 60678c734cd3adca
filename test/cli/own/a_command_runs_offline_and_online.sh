# A program of the user's runs on each sample: stored or online, the result is
# the same, and one that fails names the sample, and has the last word.
mkdir texts
for word in one two three; do
	printf 'the word %s' "$word" >"texts/$word.txt"
done
write() { # FILE STEP
	cat >"$1" <<C
[dataset]
source = folder
path = texts
match = *.txt

[pipeline]
own = $2

[strategies]
split = all
store = tar, files

[measure]
min_run_time = 0
runs = 1
epochs = 1
probe = no
C
}
write upper.conf "command 'tr a-z A-Z'"
presto show upper.conf | grep -E '^ *(raw|own) '
presto profile --cache system --threads 1 upper.conf >/dev/null
sqlite3 -header presto.db "SELECT label, state, equivalent FROM strategy JOIN trial
    ON trial.strategy = strategy.id LEFT JOIN preparation
    ON preparation.strategy = strategy.id ORDER BY label"
sqlite3 presto.db "SELECT code FROM session" | sed 's/[0-9a-f]\{16\}/HASH/'
presto materialize upper.conf --strategy own/files/none --shuffle no --out upper >/dev/null
find upper -name '*.txt' | sort | xargs cat
echo
presto materialize upper.conf --strategy raw/tar/none --out raw >/dev/null
grep -A 4 '"target"' raw/dataset.json
presto show raw | grep "tr a-z"
for step in "'sh -c \"cat >&2; exit 3\"'" "'sh -c \"kill -KILL \$\$\"'" \
    "'sleep 1000' timeout=50ms" "cat gives=float32:?x7"; do
	write bad.conf "command $step"
	presto profile --cache system --threads 1 --split own bad.conf --db bad.db 2>&1 >/dev/null |
	    grep '^presto: ' || true
done
# Skipped samples are those that it refuses.
write some.conf "command \"grep -v two\""
presto profile --cache system --threads 1 --split own some.conf --db some.db \
    --set dataset.on_error=skip 2>&1 >/dev/null | grep -E 'left out|skipped' || true
