# A line without its label is no sample that a step refused.
echo "no label here" >lines.txt
cat >lines.conf <<E
[dataset]
source = lines
path   = lines.txt
label  = column

[pipeline]
checked = utf8
E
for rule in fail skip; do
	presto show --set dataset.on_error=$rule lines.conf 2>&1 |
		grep -o 'label=column.*'
done
printf 'bad \200 bytes\n' >lines.txt
presto show --set dataset.label=none lines.conf 2>&1 | grep -o 'leaves.*'
