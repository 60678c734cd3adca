cp "$MEASURED" base.db
sqlite3 base.db 'UPDATE run SET wall_ns = 100000000 + 1000000 * (run * (2 + (SELECT strategy FROM trial WHERE id = run.trial)) % 7), user_ns = 90000000, system_ns = 0, others_ns = 0, stolen_ns = 0, reference_ns = NULL'
cp base.db new.db
sqlite3 new.db 'PRAGMA foreign_keys = ON; DELETE FROM strategy WHERE label = "raw/tar/none"'
presto compare base.db new.db | grep -o '^raw/tar/none.*\|^Geometric.*\|^INC.*' || true
presto compare base.db new.db >/dev/null 2>&1 || echo "exit $?"
presto compare base.db new.db --force | grep -o '^OK.*'
presto compare new.db base.db | grep -o '^raw/tar/none.*\|^OK.*'
cp base.db new.db
sqlite3 new.db 'UPDATE trial SET state = "failed", message = "disk full" WHERE strategy =
    (SELECT id FROM strategy WHERE label = "raw/tar/none"); DELETE FROM run WHERE trial IN
    (SELECT id FROM trial WHERE state = "failed")'
presto compare base.db new.db | grep -o '^raw/tar/none.*\|^REG.*' || true
presto compare base.db new.db >/dev/null 2>&1 || echo "exit $?"
sqlite3 new.db 'PRAGMA foreign_keys = ON; DELETE FROM strategy WHERE label <> "raw/tar/none"'
sqlite3 new.db 'UPDATE strategy SET label = "x/tar/none"'
presto compare base.db new.db || echo "exit $?"
