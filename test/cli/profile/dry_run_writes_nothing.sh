presto profile --dry-run "$SMALL_PHOTOS/photos.conf" | cut -d' ' -f1 | grep -v -e ± -e "^--search"
ls -A
# Times have two digits.
presto profile --dry-run "$SMALL_PHOTOS/photos.conf" |
    grep -cE ' ([0-9]{2}\.[0-9]+|[0-9]\.[0-9]{2,}|[0-9]{2}[1-9]) (us|ms|s|min)( |,|$)' || true
