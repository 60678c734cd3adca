# What presto -h prints, and then an error.
presto -h >help
presto 2>said && exit
status=$?
sed '$d' said | diff help -
tail -n 1 said >&2
exit $status
