# A full disk is an error of every command, wherever it prints.  A pipe that
# nobody reads ends it by SIGPIPE, as of any tool; where that is ignored, as some
# programs have it that start others, it is an error in words.
[ -e /dev/full ] || { cat "${0%.sh}.stdout.exact" && exit; }
presto materialize "$SMALL_PHOTOS/photos.conf" --strategy raw/tar/none \
    --out stored >log 2>&1
few=(--samples 2 --runs 1 --epochs 1 --split raw --store tar --codec none
    --cache none --threads 1 --set measure.min_run_time=0 --set measure.probe=no)
commands=(
	"--version"
	"-h"
	"help profile"
	"completions bash"
	"list"
	"show $SMALL_PHOTOS/photos.conf"
	"show stored"
	"snippet stored --for webdataset"
	"report --db $MEASURED"
	"report --db $MEASURED --csv"
	"report --db $MEASURED --json"
	"report --db $MEASURED --markdown"
	"report --db $MEASURED --html -"
	"recommend --db $MEASURED"
	"recommend --db $MEASURED --format json"
	"compare $MEASURED $MEASURED --force"
	"probe --size 64KiB --files 2 --tool presto stored"
	"materialize -n $SMALL_PHOTOS/photos.conf --strategy raw/tar/none --out more"
	"materialize $SMALL_PHOTOS/photos.conf --strategy raw/tar/none --out more"
	"generate photos --count 1 --out made"
	"profile -n ${few[*]} --db new.db $SMALL_PHOTOS/photos.conf"
	"profile ${few[*]} --db new.db $SMALL_PHOTOS/photos.conf"
)
told() { # HOW COMMAND STATUS
	echo "$1: ${2%% [-$/]*}: $3 $(grep -o 'cannot write the output' log)"
}
exec 3> >(:)
wait $!
for command in "${commands[@]}"; do
	status=0
	# shellcheck disable=SC2086 # a list of words
	presto $command >/dev/full 2>log || status=$?
	told full "$command" $status
done
for command in list "show stored" "report --db $MEASURED --csv"; do
	status=0
	# shellcheck disable=SC2086
	(trap '' PIPE && exec presto $command) >&3 2>log || status=$?
	told unread "$command" $status
done
for command in "list" "report --db $MEASURED --csv"; do
	status=0
	# shellcheck disable=SC2086
	presto $command >&3 2>log || status=$?
	told SIGPIPE "$command" $status
done
status=0
presto list >&- 2>log || status=$?
told closed list $status
