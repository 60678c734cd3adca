cp "$MEASURED" base.db
sqlite3 base.db 'SELECT count(reference_ns) > 0 FROM run'
sqlite3 base.db 'UPDATE run SET wall_ns = 100000000 + 1000000 * (run * (2 + (SELECT strategy FROM trial WHERE id = run.trial)) % 7), system_ns = 0, others_ns = 0, stolen_ns = 0,
    reference_ns = 800000; UPDATE run SET user_ns = wall_ns'
cp base.db new.db
sqlite3 new.db 'UPDATE run SET wall_ns = wall_ns * 11 / 10, user_ns = user_ns * 11 / 10,
    reference_ns = reference_ns * 11 / 10'
presto compare base.db new.db | sed 1,2d
presto compare base.db new.db --format csv | cut -d , -f 14,20,35- | sed 's/\(\.[0-9]\{3\}\)[0-9]*/\1/g'
# What waits is as fast on any machine.
sqlite3 base.db 'UPDATE run SET user_ns = 1000'
sqlite3 new.db 'UPDATE run SET user_ns = 1000'
presto compare base.db new.db >/dev/null 2>&1 || echo "exit $?"
# Nothing was known of it before.
sqlite3 base.db 'UPDATE run SET user_ns = wall_ns, reference_ns = NULL'
sqlite3 new.db 'UPDATE run SET user_ns = wall_ns'
presto compare base.db new.db >/dev/null 2>&1 || echo "exit $?"
