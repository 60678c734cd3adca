cp "$MEASURED" base.db
sqlite3 base.db 'UPDATE run SET wall_ns = 100000000 + 1000000 * (run * (2 + (SELECT strategy FROM trial WHERE id = run.trial)) % 7), user_ns = 90000000, system_ns = 0, others_ns = 0, stolen_ns = 0, reference_ns = NULL'
cp base.db same.db
cp base.db new.db
sqlite3 new.db 'UPDATE run SET wall_ns = wall_ns * 2 WHERE trial = (SELECT trial.id FROM trial
    JOIN strategy ON strategy.id = strategy WHERE label = "resized/tar/none");
    UPDATE preparation SET storage_bytes = storage_bytes + 1 WHERE strategy =
    (SELECT id FROM strategy WHERE label = "raw/tar/none")'
presto compare base.db same.db | sed 1,2d
presto compare base.db new.db >text 2>err || echo "exit $?"
grep -v '  base\|  new' text
cat err
presto compare base.db new.db --threshold 60% >/dev/null && echo "60 % are allowed"
presto compare new.db base.db | grep -o 'resized.*faster'
echo "-- what drift may be, and the same by turns"
cp base.db slow.db
sqlite3 slow.db 'UPDATE run SET wall_ns = CAST(wall_ns * 1.12 AS INTEGER)'
presto compare base.db slow.db 2>/dev/null | tail -n 2 || true
. "$here/turns"
turns base-turns.db base.db 0
turns slow-turns.db slow.db 1
sqlite3 slow-turns.db 'UPDATE run SET wall_ns = CAST(wall_ns * (1 + 0.002 * (trial / 100)) AS INTEGER)'
presto compare base-turns.db:2-6 slow-turns.db:2-6 >text 2>/dev/null || echo "exit $?"
tail -n 3 text
presto compare base-turns.db:2-6 slow-turns.db:2-6 --format json |
    tr -d ' \n' | grep -o '"turns":[0-9]*,"sees":[0-9.]\{5\}'
echo "-- not in turn"
sqlite3 slow-turns.db "UPDATE session SET started = '2026-11-24T0' || id || ':00:00Z'"
presto compare base-turns.db:2-6 slow-turns.db:2-6 >text 2>/dev/null || echo "exit $?"
grep '^Not' text
