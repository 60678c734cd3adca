mkdir there
for command in 'report --html' 'report --plot' 'report --output' \
    'compare 1 2 --output'; do
	status=0
	presto $command there || status=$?
	echo "status $status"
done
