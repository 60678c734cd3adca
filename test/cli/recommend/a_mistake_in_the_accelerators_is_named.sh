# The file, its line, and what to do.
printf '%s\n' session,pipeline,strategy,split,store,codec,threads,cache,status,samples,runs,throughput_samples_per_s,prep_s,storage_bytes \
    1,cv,unprocessed,unprocessed,,,8,none,done,1000,5,100,0,9000000 >cv.csv
printf '%s\n' '[job]' 'batch = 64' '[GPU]' 'through = 64:1000' >key.conf
printf '%s\n' '[job]' 'batch = 63' '[GPU]' 'throughput = 32:1000' >odd.conf
printf '%s\n' '[remote]' 'cores = 8' >need.conf
presto recommend --from cv.csv --accelerators key.conf || echo "exit $?"
presto recommend --from cv.csv --accelerators odd.conf || echo "exit $?"
presto recommend --from cv.csv --accelerators none.conf || echo "exit $?"
presto recommend --from cv.csv --offload need.conf || echo "exit $?"
