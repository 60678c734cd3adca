# A reader that sleeps most of the time: the job cannot have waited meanwhile.
cat >job.py <<'P'
import time
with open("/dev/zero", "rb", 0) as file:
    for _ in range(12):
        file.read(1000000)
        time.sleep(0.1)
P
presto demand --samples 1200 --write a.conf -- python3 job.py 2>err
grep -E 'demand: [0-9. ]+ to [0-9. ]+ samples/s, if it reads files' err | sed 's/[0-9. ]* to [0-9. ]*/ N to N /'
awk '/from the outside/ { low = $5; high = $7 }
    /^throughput/ { split($3, part, ":")
	print (low > 0 && low <= 1000 && high > low && part[2] == high) ? "fine" : $0 " " low " " high }' a.conf
