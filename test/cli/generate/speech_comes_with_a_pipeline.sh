presto generate speech --count 4 --out a >/dev/null
ls a
grep -c '= audio_decode' a/speech.conf
