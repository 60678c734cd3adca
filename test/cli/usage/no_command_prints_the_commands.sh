presto
