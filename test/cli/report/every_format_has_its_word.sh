# --format WORD is the same as the short form, and -o writes just that.
# With figures that leave no doubt, however noisy the machine was.
cp "$MEASURED" .fixed.db
sqlite3 .fixed.db "UPDATE run SET wall_ns = 10000000 * trial * trial"
export PRESTO_DB=.fixed.db
for format in csv json markdown; do
	presto report --format $format >word
	presto report --$format >short
	cmp word short && echo "report --format $format: as --$format"
done
presto report --html short.html
presto report --format html | cmp - short.html && echo "html: as --html"
for command in report recommend; do
	presto $command --format text >word
	presto $command | cmp - word && echo "$command: text is the default"
	for format in json csv markdown html; do
		presto $command --format $format >word
		presto $command --format $format -o file
		cmp word file && echo "$command --format $format -o FILE"
		rm file
	done
done
presto recommend --format html | grep -c '^<h2>Ranking</h2>$'
presto report --json --format csv 2>&1 || echo "exit $?"
presto report --format html --what runs 2>&1 || echo "exit $?"
presto report --format pdf 2>&1 || echo "exit $?"
# An error leaves what was there.
echo old >kept
presto recommend --min-throughput 1000000000 -o kept 2>/dev/null || echo "exit $?"
presto report --session 99 -o kept 2>/dev/null || echo "exit $?"
cat kept
mkdir folder
presto recommend -o folder 2>&1 || echo "exit $?"
ls
