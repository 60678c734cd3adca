# What leaves nothing to chance is deterministic, whatever the step is called.
for step in 'hflip chance=1' 'hflip' 'vflip chance=0' 'vflip chance=0.5' \
    'gaussian_blur kernel=5 sigma=1' 'gaussian_blur kernel=5' \
    'color_jitter hue=0.1,0.1' 'color_jitter hue=0.1' \
    'random_erasing chance=0' 'random_erasing' \
    'random_crop size=36 padding=4' 'hflip chance=1 random=yes'; do
	cat >certain.conf <<C
[dataset]
source = synthetic
shape  = 32x32x3

[pipeline]
same = identity
last = $step
C
	printf '%-32s ' "$step"
	presto show certain.conf | grep '^splits:'
done
