# An error, and then what presto -h prints.
presto -h >help
presto 2>said && exit
status=$?
head -n 1 said >&2
sed 1d said | diff help -
exit $status
