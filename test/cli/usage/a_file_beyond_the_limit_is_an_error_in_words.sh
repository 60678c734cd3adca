# SIGXFSZ would end the program without a word.
limited() { # KIBIBYTES COMMAND...
	local status=0 most=$1
	shift
	(ulimit -c 0 && ulimit -f "$most" && exec presto "$@") >out 2>log ||
	    status=$?
	echo "$1: status $status"
	grep -o 'it would be larger[^;]*' log
}
limited 2 generate photos --count 2 --out made
limited 2 materialize "$SMALL_PHOTOS/photos.conf" --strategy raw/tar/none \
    --out more
limited 40 report --db "$MEASURED" --html page.html
ls page.html made 2>/dev/null || true
# What goes to stdout is a file as well.
limited 2 completions bash
