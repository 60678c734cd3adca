presto -h
for command in generate list materialize profile recommend report show; do
	presto $command -h | head -n 1
done
