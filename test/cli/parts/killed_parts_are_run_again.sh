# A short form of scripts/soak-parts: kills at random moments, the same bytes.
"$here/../../scripts/soak-parts" --kills 8 --seed 3 "$(command -v presto)" |
    sed 's/[0-9.]* s$/... s/'
