# 64 steps are the most that a pipeline has.  Every table with a row for a step
# holds so many: the forecast, the traced pass, the chart of the steps, the
# places from which work goes to other machines, the manifest and the programs.
longest=$(printf 'x%.0s' {1..28})
{
	printf '[dataset]\nsource = synthetic\nshape = 4\ncount = 4\n'
	printf '[pipeline]\n'
	for i in {1..64}; do
		printf 's_%02d%s = truncate length=4\n' "$i" "$longest"
	done
	printf '[strategies]\nstore = tar\ncodec = none\n'
	printf '[load]\ncache = none\nthreads = 1\n'
	printf '[measure]\nruns = 1\nprobe = no\nsamples = 4\nepochs = 1\n'
} >a.conf
last=s_64$longest

presto show a.conf | grep -c "^ *s_"
presto profile --dry-run --db a.db a.conf | grep -c "^ *s_"
presto profile --split raw --db a.db a.conf >out 2>err
presto report --db a.db --what steps --csv | grep -c "unprocessed.*,s_"

# The chart's legend and the places of --offload have all of them.
presto report --db a.db --html page.html
grep -o "$last (truncate)" page.html | head -n 1
printf '[remote]\ncores = 4\ncount = 8\n[accelerator]\nrate = 1e9\n' >remote.conf
presto recommend --db a.db --offload remote.conf --format json |
    sed -n '/"points"/,/\]/p' | grep -c '"after": "s_'

presto materialize a.conf --strategy raw/tar/none --out raw >out 2>err
presto show raw | grep -c "s_"
presto snippet raw --for webdataset >program.py
sed -i "/^s_64/a s_65 = identity" a.conf
presto show a.conf || echo "status $?"
