# --finish needs the pipeline and --out alone, and ends with the command that
# makes the part; that command needs no more either.
conf=$SMALL_PHOTOS/photos.conf
finish() {
	presto materialize "$conf" -o out --finish 2>&1 || echo "status $?"
}
show() {
	sed -e "s|$conf|photos.conf|g" -e 's/, [0-9.]* [kM]B,.*/, .../' \
	    -e 's/ written in .*/ written/'
}
finish | show
ls out 2>/dev/null || true
presto materialize "$conf" -s resized/tar/none --shuffle 5 -o out --part 1/3 | show
finish | show >said
cat said
# As it is printed, with the path that was taken out.
sed -n 's/.*make it by: //p' said | sed "s|photos.conf|$conf|" >again
bash again 2>/dev/null | show
presto materialize "$conf" -o out 2>&1 -s resized/tar/none --shuffle 5 |
    sed 's/^presto: //' || true
presto materialize "$conf" -o out --part 2/4 2>&1 || echo "status $?"
presto materialize "$conf" -o out --part 2/3 --shuffle 6 2>&1 || echo "status $?"
presto materialize "$conf" -o out --part 2/3 -s raw/tar/none 2>&1 || echo "status $?"
bash -c "$(sed 's|0/3|2/3|' again)" 2>/dev/null | show
finish | show
