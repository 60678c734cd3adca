# By the command that causes them; the others say how many there are.
cp "$MEASURED" presto.db
sqlite3 presto.db "DELETE FROM warning; INSERT INTO warning (session, text) VALUES (1, 'a busy machine'), (1, 'too_few runs')"
mkdir away
echo "-- how many"
presto report | grep -A9 '^[0-9]* warning'
presto report --markdown | grep '2 warnings'
presto recommend | grep '2 warnings'
presto recommend --format markdown | grep '2 warnings'
echo "-- all"
presto report --warnings | grep warning
presto report --markdown --warnings | grep warning
presto recommend --warnings | grep -E 'busy|too_few|2 warn'
echo "-- the command is right from elsewhere"
cd away
command=$(presto report --db ../presto.db | sed -n 's/^2 warnings: see //p')
echo "$command"
$command | grep -c '^warning: '
command=$(presto recommend --db ../presto.db | sed -n 's/^  2 warnings *//p')
echo "$command"
$command | grep -cE '^  warning +(a busy|too_few)'
presto report --db ../presto.db --json >report.json
command=$(presto recommend --from report.json | sed -n 's/^  2 warnings *//p')
echo "$command"
$command | grep -cE '^  warning +(a busy|too_few)'
echo "-- for programs and as a page, as ever"
presto report --db ../presto.db --json | grep -c 'a busy machine'
presto recommend --db ../presto.db --format json | grep -c 'a busy machine'
presto report --db ../presto.db --html - | grep -c 'a busy machine'
echo "-- profile says each once"
presto profile --set measure.min_run_time=0 --samples 8 --runs 2 --cache system --threads 1 \
    --codec none --store tar --split raw "$SMALL_PHOTOS/photos.conf" >out 2>&1
sed -n 's/^presto: warning: \(.\{30\}\).*/\1/p' out >said
while read -r words; do
	grep -cF "$words" out
done <said | sort -u
sqlite3 presto.db "SELECT count(*) > 0 FROM warning"
