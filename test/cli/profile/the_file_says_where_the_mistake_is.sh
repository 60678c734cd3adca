sed 's/jpeg_decode/jpg_decode/' "$SMALL_PHOTOS/photos.conf" >bad.conf
sed "s,^path.*,path = $SMALL_PHOTOS," -i bad.conf
presto profile bad.conf
