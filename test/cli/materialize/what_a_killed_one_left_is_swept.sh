# Temporary files have names where O_TMPFILE is not to be had: as if so.
what=(--strategy resized/tar/none --threads 1 --out data "$SMALL_PHOTOS/photos.conf")
left() {
	head -c 2000 /dev/zero >data/.presto-0123abcd-0123456789ab.tmp
	echo theirs >data/shard-000000.tar.tmp
	ln -sf shard-000000.tar.tmp data/.presto-0123abcd-111111111111.tmp
}
presto materialize "${what[@]}" >/dev/null 2>&1
left
presto materialize "${what[@]}" 2>&1 >/dev/null | grep removed
left
presto materialize --check "${what[@]}" 2>&1 >/dev/null | grep removed
# One that is begun has folders of samples, too.
left
mkdir data/.presto-0123abcd-222222222222.tmp
head -c 1000 /dev/zero >data/.presto-0123abcd-222222222222.tmp/a.jpg
rm data/shard-000000.tar
presto materialize "${what[@]}" 2>&1 >/dev/null | grep removed
cat data/shard-000000.tar.tmp
ls -A data | grep presto-
cp data/shard-000000.tar.tmp data/.presto-0123abcd-0123456789ab.tmp
presto report --db "$MEASURED" --csv --output data/report.csv 2>&1 | grep removed
