mkdir full
touch full/mine
presto generate photos --out full
