presto profile --set measure.min_run_time=0 --samples 8 --runs 2 --cache none --codec none --store tar --split raw \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
# Each strategy has one.
script -qec 'stty cols 200; presto report' /dev/null | grep -c '#'
script -qec 'stty cols 200; LC_ALL=C.UTF-8 presto report' /dev/null | grep -c "$(printf '\342\226\210')"
# Too narrow for bars, and no terminal.
script -qec 'stty cols 80; presto report' /dev/null | grep -c '#' || true
presto report | grep -c '#' || true
