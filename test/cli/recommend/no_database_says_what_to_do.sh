presto recommend
