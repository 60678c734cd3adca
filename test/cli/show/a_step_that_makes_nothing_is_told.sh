# Windows that are longer than every signal.
cat >short.conf <<E
[dataset]
source = synthetic
shape  = 100
count  = 4

[pipeline]
windowed = window length=101
E
presto show short.conf | grep '^many'
presto profile --dry-run short.conf | grep -o '^unprocessed.* 0$' >/dev/null
