# What is wrong with the user's loader is one line with its place, and stops
# nothing else; what is wrong before it is called is a mistake of the call.
cat >my.py <<'END'
import os
import time


def no_loader():
    return 5


def raises():
    yield [1, 2]
    raise ValueError("no such\nfile 7")


def once():
    return iter([[1, 2]])


def dies():
    yield [1]
    os._exit(3)


def is_killed():
    yield [1]
    os.kill(os.getpid(), 9)


def says_much():
    raise ValueError("x" * 10000)


def crashes():
    print("going down")
    os._exit(4)


def hangs():
    time.sleep(100)


def endless():
    while True:
        time.sleep(0.001)
        yield [0] * 100000


def needs(what):
    pass
END
echo 'import no_such_module' >broken.py
echo 'def f(:' >syntax.py
quick="--samples 24 --runs 1 --cache system --split decoded --store tar --codec none --set measure.min_run_time=0"
try() { # LOADER OPTIONS...
	local status=0 loader=$1
	shift
	presto profile $quick "$@" --db try.db --loader "$loader" \
		"$SMALL_PHOTOS/photos.conf" >out 2>log || status=$?
	echo "$loader: exit $status"
	grep -o 'loader.*' log | grep -v recommend | sed "s/gave [0-9]* /gave N /; s,$PWD/,," | head -1
}
for loader in my.py none.py:f my.py:nothing my.py:os broken.py:f syntax.py:f no_such_module:f; do
	try $loader
done
try my.py:needs --set python.interpreter=./no-python
try my.py:needs --cache application
try my.py:needs --set storage.latency=1ms
[ ! -e try.db ] && echo "nothing was measured"
for loader in no_loader needs raises once dies is_killed crashes; do
	try my.py:$loader
done
try my.py:says_much | sed 's/xxx*/xx/'
try my.py:hangs --set measure.loader_timeout=5s
try my.py:endless
presto report --db try.db --csv | cut -d, -f4,12 | sort | uniq -c | sed 's/^ *//'
