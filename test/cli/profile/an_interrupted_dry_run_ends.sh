# Each of these takes a second to try.
cat >slow.conf <<'C'
[dataset]
source = synthetic
shape = 4000000
count = 16

[pipeline]
same = identity

[strategies]
codec = zstd:19, zstd:18, zstd:17, zstd:16
C
presto profile --dry-run slow.conf >out 2>log &
sleep 0.5
kill -TERM $!
status=0
wait $! || status=$?
echo "status $status"
cat log out
