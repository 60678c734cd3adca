try() {
	if presto probe "$@" 2>&1; then
		echo "it was taken"
	else
		echo "exit $?"
	fi
}
echo text >file
mkdir empty
try
try missing
try file
try -t 0 empty
try -t , empty
try --csv --json empty
try --set load.threads=2 empty
try --set storage.speed=2 empty
try --tool fio --set storage.latency=1ms empty
try --tool dd empty
try --size 0 empty
try --files 10000000 --size 999PB empty | sed 's/: [0-9.]* [A-Z]*B are/: SPACE are/'
try --db /nowhere/x.db empty
ls empty
