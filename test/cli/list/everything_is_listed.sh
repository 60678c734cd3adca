presto list | grep -v '^ '
presto list codecs | grep '^  [a-z]' | cut -c1-10
presto list stores | cut -c1-12
presto list sources | grep '^  [a-z]' | cut -c1-12
presto list steps | grep '^  [a-z]' | cut -c1-22
