# Other programs take a core in NEW; then there are four runs only.
cp "$MEASURED" base.db
sqlite3 base.db 'UPDATE run SET wall_ns = 100000000 + 1000000 * (run * (2 + (SELECT strategy FROM trial WHERE id = run.trial)) % 7), user_ns = 90000000, system_ns = 0, others_ns = 0, stolen_ns = 0, reference_ns = NULL'
cp base.db new.db
sqlite3 new.db 'UPDATE run SET wall_ns = 1.5 * wall_ns, others_ns = 1.5e8 * (SELECT cores - 0.5 FROM session)'
presto compare base.db new.db >text 2>err || echo "exit $?"
grep -c 'other programs took' text
grep -o 'the machine may have changed .*' err
cp base.db few.db
sqlite3 few.db 'DELETE FROM run WHERE run > 4'
presto compare base.db few.db >text 2>err || echo "exit $?"
grep -o '?  .*' text
grep -o 'too few runs: .*' err
