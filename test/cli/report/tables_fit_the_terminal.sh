# What a terminal of so many columns shows of a table, and what it leaves out.
on() { # COLUMNS COMMAND
	# Of a line of progress, what the next one has written over it stays.
	script -qec "stty cols $1; $2" /dev/null |
	    sed 's/\r*$//; s/.*\r//; s/\x1b\[K//g'
}
wider_than() { # COLUMNS; a command to copy may be longer
	grep -v 'presto materialize' | sed 's/±/+/g' | awk -v most="$1" 'length($0) > most' | wc -l
}
# Reading a database that others measured writes nothing.
cp "$MEASURED" presto.db
for width in 80 120; do
	for command in report 'report --what runs' 'report --what steps' 'report --what phases' \
	    'report --what system' recommend 'compare presto.db presto.db' "show $SMALL_PHOTOS/photos.conf" \
	    'list' "profile --dry-run --store tar $SMALL_PHOTOS/photos.conf"; do
		echo "$width, ${command%% /*}: $(on $width "presto $command" | wider_than $width)"
	done
done
on 80 'presto report' | grep -cE '^rank  strategy .*samples/s'
on 40 'presto report' | tr '\n' ' ' | grep -cE 'not shown: .*bottleneck, pays after.* see --format csv'
echo "COLUMNS: $(on 300 'COLUMNS=60 presto report' | wider_than 60), $(on 300 'presto report' | grep -c '^not shown')"
# No terminal: all columns, whatever COLUMNS says.
COLUMNS=60 presto report | grep -cE '^rank.* bottleneck .*pays after'
