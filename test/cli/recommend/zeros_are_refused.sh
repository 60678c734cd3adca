for option in session top epochs; do
	presto recommend --$option 0 2>&1 || echo "exit $?"
done
