# A forecast of more than a minute names --search auto; that of a search says whose time it is; a short one says nothing.
dry() { presto profile --dry-run --cache none --codec none --store tar "$@" "$PHOTOS/photos.conf" | grep -o -e '.*--search.*' || echo nothing; }
slow=(--runs 100 --set storage.bandwidth=100kB/s)
dry "${slow[@]}"
dry "${slow[@]}" --search auto
dry --samples 4 --runs 1 --set measure.min_run_time=0
