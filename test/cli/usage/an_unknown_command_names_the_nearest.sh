presto profle
