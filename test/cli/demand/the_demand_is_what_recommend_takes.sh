# A job whose loader reports twenty batches of 128: it waits for 5 ms for each,
# and is busy for 20 ms, but for 9 s with the first one.
cat >job.sh <<'S'
report=$PRESTO_DEMAND/loader-1-0
echo 'presto-demand 1 7 128 0 1 0 train' >"$report"
for i in $(seq 20); do
	busy=20000000
	[ "$i" -ne 1 ] || busy=9000000000
	echo "b $((i * 25000000)) 1 128 5000000 $busy" >>"$report"
done
echo 'e 600000000 100000000' >>"$report"
S
presto demand --write accelerators.conf -- sh job.sh 2>&1 | sed 's/ after .*/ after TIME/'
sed 1d accelerators.conf
columns=session,pipeline,strategy,split,store,codec,threads,cache,status,samples,runs
printf '%s\n' $columns,throughput_samples_per_s,prep_s,storage_bytes,bottleneck \
    1,cv,unprocessed,unprocessed,,,8,none,done,1000,5,100,0,9000000,cpu:jpeg_decode \
    1,cv,raw/tar/none,raw,tar,none,8,none,done,1000,5,8000,60,9000000,storage >cv.csv
presto recommend --from cv.csv --accelerators accelerators.conf |
    grep -E '^  (accelerators|share|demand|verdict) '
