# Without a pipeline file: it is that of the newest session, which has no trial yet.
cp "$MEASURED" presto.db
sqlite3 presto.db "SELECT 'DELETE FROM ' || name || ';' FROM sqlite_master
	WHERE type = 'table' AND name NOT IN ('session', 'setting') AND name NOT LIKE 'sqlite%'" >empty.sql
sqlite3 presto.db <empty.sql
sqlite3 presto.db "UPDATE session SET state = 'interrupted'"
presto recommend 2>&1 || true
presto profile --resume >/dev/null 2>&1
presto recommend | grep -c '^recommended: '
sqlite3 presto.db 'SELECT max(state), count(*) > 0 FROM session'
