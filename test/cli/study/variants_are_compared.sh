# The greyscale study: the same pipeline with a step at two places.
export PRESTO_DB=presto.db
for name in before after; do
	grey='greyed = grayscale' center='centered = center'
	[ $name = before ] && steps="$grey\n$center" || steps="$center\n$grey"
	printf '%b\n' "[dataset]\nsource = folder\npath = $SMALL_PHOTOS\nmatch = **/*.jpg" \
	    "[pipeline]\ndecoded = jpeg_decode\nresized = resize size=64\n$steps" >$name.conf
done
mkdir two
cp after.conf two/before.conf
quick="--runs 1 --set measure.min_run_time=0 --set measure.samples=12 --set load.cache=none --set strategies.codec=none"
# shellcheck disable=SC2086
presto study variants before.conf after.conf $quick --plot variants.svg 2>/dev/null >out || echo "exit $?"
awk '{ print $1, $2 }' out
grep -c '<svg' variants.svg
# Two files of one name are told apart by their paths.
# shellcheck disable=SC2086
presto study variants before.conf two/before.conf $quick --set strategies.split=resized --csv 2>/dev/null | cut -d, -f2,3
presto report --csv | cut -d, -f3,4 | sed 1d
