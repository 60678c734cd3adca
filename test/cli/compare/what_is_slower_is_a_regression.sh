cp "$MEASURED" base.db
sqlite3 base.db 'UPDATE run SET wall_ns = 100000000 + 1000000 * run, user_ns = 90000000, system_ns = 0, others_ns = 0, stolen_ns = 0, reference_ns = NULL'
cp base.db same.db
cp base.db new.db
sqlite3 new.db 'UPDATE run SET wall_ns = wall_ns * 1.25 WHERE trial = (SELECT trial.id FROM trial
    JOIN strategy ON strategy.id = strategy WHERE label = "resized/tar/none");
    UPDATE preparation SET storage_bytes = storage_bytes + 1 WHERE strategy =
    (SELECT id FROM strategy WHERE label = "raw/tar/none")'
presto compare base.db same.db | sed 1,2d
presto compare base.db new.db >text 2>err || echo "exit $?"
grep -v '  base\|  new' text
cat err
presto compare base.db new.db --threshold 25% >/dev/null && echo "25 % are allowed"
presto compare new.db base.db | grep -o 'resized.*faster'
cp base.db slow.db
sqlite3 slow.db 'UPDATE run SET wall_ns = wall_ns * 1.06'
presto compare base.db slow.db 2>/dev/null | tail -n 2
sqlite3 slow.db 'UPDATE run SET wall_ns = wall_ns * 0.995'
presto compare base.db slow.db 2>/dev/null | tail -n 2 | cut -c 1-60
