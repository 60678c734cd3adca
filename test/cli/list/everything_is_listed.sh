# Each family's table is listed as a whole, and in its order.  A build without
# an optional library lists what it lacks as well.
root=$(dirname "$0")/../../..

names() { # FILE.def...
	sed -n 's/^[A-Z]*(\([a-z0-9_]*\))$/\1/p' "$@"
}

listed() { # FAMILY
	presto list "$1" | sed -n 's/^  \([a-z][a-z0-9_]*\)  *[^ ].*/\1/p'
}

presto list | grep -v '^ '
diff <(names "$root"/lib/codecs/codecs.def "$root"/lib/codecs/transforms.def) \
    <(listed codecs)
diff <(names "$root"/lib/stores/stores.def) <(listed stores)
diff <(names "$root"/datasets/sources.def) <(listed sources)
diff <(names "$root"/datasets/generators.def) <(listed generators)
diff <(names "$root"/strategies/decide/objectives/objectives.def) \
    <(listed objectives)
diff <(names "$root"/strategies/search/searches.def) <(listed searches)
diff <(names "$root"/lib/steps/steps.def) <(listed steps)
