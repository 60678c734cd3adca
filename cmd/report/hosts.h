/*
 * hosts.h - the table of presto profile --together: how the throughput grows
 * with the number of hosts.
 */
#ifndef CMD_REPORT_HOSTS_H
#define CMD_REPORT_HOSTS_H

#include <stdint.h>

struct error;
struct grid;
struct report_page;
struct results;

/* Reads it for a session (0: for all) into an empty grid. */
int report_hosts_read(struct results *results, int64_t session,
    struct grid *grid, struct error *err);
/* Prints it below the trials; nothing for a session of one process. */
int report_hosts_print(
    const struct report_page *page, int64_t session, struct error *err);

#endif
