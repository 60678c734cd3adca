cp "$MEASURED" base.db
sqlite3 base.db 'UPDATE run SET wall_ns = 100000000 + 1000000 * (run * (2 + (SELECT strategy FROM trial WHERE id = run.trial)) % 7), user_ns = 90000000, system_ns = 0, others_ns = 0, stolen_ns = 0, reference_ns = NULL'
cp base.db presto.db
sqlite3 presto.db 'CREATE TABLE text AS SELECT * FROM session' 'DROP TABLE text'
presto compare 1 base.db | sed -n '1,2s/, 20.*//p'
presto compare base.db:1 ./base.db --db nothing.db | sed -n '1,2s/, 20.*//p'
cp base.db base.db:1
presto compare base.db:1 1 --db base.db | sed -n '1,2s/, 20.*//p'
for wrong in 2 base.db:7 none.db 0 "$PHOTOS/photos.conf"; do
	presto compare "$wrong" base.db 2>&1 | sed "s|$PHOTOS/||" && false || true
done
presto compare base.db 2>&1 || echo "exit $?"
for wrong in 5 -1% 100% 5%% x ''; do
	presto compare base.db base.db --threshold "$wrong" 2>&1 || echo "exit $?"
done
presto compare base.db base.db --threshold '5 %' -o out >none && cat none && sed -n 4p out
presto compare base.db base.db --threshold 0.05 | tail -n 1
presto compare base.db base.db --form bmf --format csv 2>&1 || echo "exit $?"
