presto profile --sampels 3 x.conf
