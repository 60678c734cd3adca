for both in '--html a --csv' '--plot a --html b' '--html a -o b' '--plot a --what runs' '--chart steps'; do
	# shellcheck disable=SC2086 # several words
	presto report $both 2>&1 || echo "$?"
done
ls
