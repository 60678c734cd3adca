sed 's/jpeg_decode/jpg_decode/' "$PHOTOS/photos.conf" >bad.conf
sed "s,^path.*,path = $PHOTOS," -i bad.conf
presto profile bad.conf
