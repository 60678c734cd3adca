# What is wrong is said before anything is measured.
export PRESTO_DB=presto.db
photos=$SMALL_PHOTOS/photos.conf
try() {
	presto study "$@" 2>&1 | sed "s,$SMALL_PHOTOS/,,"
	echo "exit ${PIPESTATUS[0]}"
}
try colours "$photos" --values 1,2
try threads "$photos"
try threads "$photos" --values 1,,2
try threads "$photos" --values 1,1
try threads "$photos" --values 1,many
try shards "$photos" --values 1,none
try sizes "$photos" --values 1KB
try threads "$photos" "$photos" --values 1
try variants "$photos" --values 1
try variants "$photos"
try threads "$photos" --values 1 --plot figure.pdf
try threads "$photos" --values 1 --csv --json
ls
