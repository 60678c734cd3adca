printf '[dataset]\nsource = npz\npath = bad.npz\n[pipeline]\nsame = identity\n' >bad.conf
printf 'no archive' >bad.npz
presto show bad.conf 2>&1 || true
mkdir empty
presto show bad.conf --set dataset.path=empty 2>&1 || true
