# Four ranks at once, and a job behind them that is not at work with them.
cat >job.sh <<'S'
rank=0
while [ $rank -lt 5 ]; do
	report=$PRESTO_DEMAND/loader-$rank-0
	begin=$((rank / 4 * 9000000000))
	echo "presto-demand 1 $((rank + 7)) 32 $rank 4 $begin train" >"$report"
	for i in $(seq 10); do
		echo "b $((begin + i * 20000000)) 1 32 0 20000000" >>"$report"
	done
	rank=$((rank + 1))
done
# One that was damaged does not hide the others.
echo damaged >"$PRESTO_DEMAND/loader-9-0"
S
presto demand --write accelerators.conf -- sh job.sh 2>&1 | sed "s/ after .*/ after TIME/; s,/.*/presto-demand-[^/]*,DIR,"
sed 1d accelerators.conf
