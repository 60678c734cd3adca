presto probe --tool presto --size 2MiB --files 10 -t 1,2 .
ls
