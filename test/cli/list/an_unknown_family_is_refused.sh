presto list step
