# The first one works on a sample until the second was refused.  Then another one
# is stopped: after 30 seconds it counts as dead, as a killed one does, and when
# it goes on it writes nothing any more.
. "$here/../far/s3.sh"
mkdir -p store/bucket/in
for word in one two three; do
	echo "$word" >"store/bucket/in/$word.txt"
done
s3_start store
cat >wait <<"W"
while [ -n "${HOLD:-}" ] && [ -e hold ]; do
	: >>holds
	sleep 0.05
done
cat
W
cat >texts.conf <<'C'
[dataset]
source = folder
path = s3://bucket/in

[pipeline]
own = command 'sh wait'
C
update() {
	presto materialize texts.conf --out s3://bucket/out --update --threads 1 2>&1 |
	    sed -E 's/(shards?) in [0-9.]* [a-z]*,/\1 in T,/; /writing$/d
	        s/process .*; wait/process N on HOST; wait/' || true
}
held() {
	touch hold
	rm -f holds # the step waits
	HOLD=yes presto materialize texts.conf --out s3://bucket/out --update \
	    --threads 1 >first 2>&1 &
	while [ ! -e holds ]; do
		sleep 0.05
	done
}
presto materialize texts.conf --strategy own/tar/none --shards 1 \
    --out s3://bucket/out >/dev/null
echo four >store/bucket/in/four.txt
held
update
rm hold
wait $!
sed -E 's/(shards?) in [0-9.]* [a-z]*,/\1 in T,/; /writing$/d' first
update
find store/bucket/out -type f -path '*presto.[fp]*'

echo five >store/bucket/in/five.txt
held
kill -STOP $!
echo six >store/bucket/in/six.txt
update
find store -type d -empty -delete
cp -r store/bucket/out whole
kill -CONT $!
rm hold
wait $! || echo "status $?"
sed '/writing$/d' first
find store -type d -empty -delete
diff -r whole store/bucket/out
presto show s3://bucket/out | sed -n '1s/, [0-9.]* [kM]*B//p'
