# What there is, is printed all the same.
printf '%s\n' session,pipeline,strategy,split,store,codec,threads,cache,status,samples,runs,throughput_samples_per_s,prep_s,storage_bytes,bottleneck \
    1,cv,unprocessed,unprocessed,,,8,none,done,1000,5,100,0,9000000,cpu:jpeg_decode \
    1,cv,raw/tar/none,raw,tar,none,8,none,done,1000,5,300,60,9000000,storage >cv.csv
printf '%s\n' '[job]' 'batch = 64' '[GPU]' 'throughput = 64:1000' >gpu.conf
presto recommend --from cv.csv --accelerators gpu.conf
