# What the job reads and writes is its own; what presto says comes last.
try() {
	status=0
	presto demand "$@" 2>err || status=$?
	echo "exit $status"
	sed -E 's/ after [0-9.]+ [a-z]+/ after TIME/; /in its last/d; /too short/d; /processes that read/d' err
}
echo 'from stdin' | presto demand -- cat 2>err
grep -c '^presto: the job ended with status 0' err
try -- sh -c 'echo out; echo err >&2; exit 3'
try -- sh -c 'kill -USR1 $$'
try -- ./nosuch
touch text
try -- ./text
try --write none/accelerators.conf -- true
try --write accelerators.conf -- true
try --write accelerators.conf -- sh -c 'echo nonsense >$PRESTO_DEMAND/loader-1-0' |
    sed 's,/[^ ]*/loader,FOLDER/loader,'
ls
mkdir tmp
TMPDIR=$PWD/tmp presto demand -- sh -c 'basename "$PRESTO_DEMAND" | tr "[:alnum:]" x; ls -ld "$PRESTO_DEMAND" | cut -c 1-10' 2>/dev/null
ls tmp
