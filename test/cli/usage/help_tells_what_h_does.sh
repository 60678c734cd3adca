# presto help COMMAND prints what presto COMMAND -h does, of each command.
presto help >list
presto -h | cmp - list && echo "help: as -h"
sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p' list >commands
while read -r command; do
	presto "$command" -h >wanted
	presto help "$command" >got && cmp wanted got || echo "$command differs"
done <commands
[ "$(wc -l <commands)" -ge 10 ] && echo "every command: as -h"
presto help recomend 2>&1 || echo "exit $?"
presto help nonsense-word 2>&1 || echo "exit $?"
presto help profile report 2>&1 || echo "exit $?"
