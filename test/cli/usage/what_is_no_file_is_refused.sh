# No pipe, socket or device is waited for, whatever it stands in place of.
mkfifo it
try() {
	status=0
	timeout 10 presto "$@" || status=$?
	echo "status $status"
}
for source in lines lmdb npy npz tar tfrecord; do
	printf '[dataset]\nsource = %s\npath = it\n[pipeline]\nsame = identity\n' $source >$source.conf
	try show $source.conf
done
mkdir folder
mkfifo folder/presto.manifest
try show folder
try show /dev/zero
try report --db it
try recommend --from /dev/zero

# A text that is read once may come from a command.
sed "s,^path.*,path = $SMALL_PHOTOS," "$PHOTOS/photos.conf" >photos.conf
ln -s "$SMALL_PHOTOS" here
sed "s,^path.*,path = here," photos.conf >relative.conf
show() { # FILE; the first line has its name
	presto show "$1" | tail -n +2
}
show photos.conf >want
show <(cat photos.conf) >got
cmp want got
show /dev/stdin <relative.conf >got
cmp want got
show <(cat relative.conf) >got
cmp want got
presto report --db "$MEASURED" --csv >report.csv
presto recommend --from report.csv --format csv >want 2>err || [ $? = 4 ]
presto recommend --from <(cat report.csv) --format csv >got 2>err || [ $? = 4 ]
cmp want got
try show it
