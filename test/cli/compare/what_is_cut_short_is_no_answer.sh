cp "$MEASURED" base.db
sqlite3 base.db 'UPDATE run SET wall_ns = 100000000 + 1000000 * (run * (2 + (SELECT strategy FROM trial WHERE id = run.trial)) % 7), user_ns = 90000000, system_ns = 0, others_ns = 0, stolen_ns = 0, reference_ns = NULL'
cp base.db new.db
echo "-- a budget that was too short"
sqlite3 new.db 'UPDATE trial SET state = "skipped", message = "no time is left" WHERE strategy =
    (SELECT id FROM strategy WHERE label = "raw/tar/none")'
presto compare base.db new.db | grep -o '^raw/tar/none.*\|^INC.*' || true
presto compare base.db new.db >/dev/null 2>&1 || echo "exit $?"
presto compare base.db new.db --format json 2>/dev/null | grep -o '"verdict": "[a-z]*"' | sort | uniq -c
presto compare base.db new.db --force | grep -o '^OK.*'
for state in failed interrupted running; do
    echo "-- a session that is $state"
    cp base.db new.db
    sqlite3 new.db "UPDATE session SET state = '$state'"
    presto compare base.db new.db --force | grep -o '^INC.*'
    presto compare new.db base.db | grep -o '^INC.*'
    presto compare base.db new.db >/dev/null 2>&1 || echo "exit $?"
done
echo "-- nearly the same data, where it was the same"
cp base.db new.db
sqlite3 new.db 'UPDATE preparation SET equivalent = "lossy" WHERE strategy =
    (SELECT id FROM strategy WHERE label = "raw/tar/none")'
presto compare base.db new.db | grep -o '^raw/tar/none.*\|^REG.*' || true
