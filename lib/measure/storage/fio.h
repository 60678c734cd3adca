/* fio.h - reads the files of a probe with fio, the flexible I/O tester. */
#ifndef LIB_MEASURE_STORAGE_FIO_H
#define LIB_MEASURE_STORAGE_FIO_H

#include "lib/measure/storage/probe_read.h"

/* As probe_read, with fio; ERROR_DATA with fio's message. */
int fio_read(const struct probe_plan *plan, const struct probe_files *files,
    const struct probe_pass *pass, struct probe_time *time, struct error *err);

/* Finds the installed fio: "fio 3.33"; false: none. */
bool fio_find(char tool[32]);

#endif
