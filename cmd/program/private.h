/*
 * private.h - --private: what a command prints can be sent to others.
 *
 * Results without paths and hosts come from results_hide, texts of a file from
 * lib/db/private.h; a command leaves out what its own operands say.
 */
#ifndef CMD_PROGRAM_PRIVATE_H
#define CMD_PROGRAM_PRIVATE_H

/* The row of the option table; `args` has a bool `private`. */
#define OPTION_PRIVATE(args)                            \
	OPTION(FLAG, "private", 0, args, private, NULL, \
	    "leave out all paths and the names of the host and its user")

/* In place of a file in a command that is printed to be run. */
#define PRIVATE_FILE "FILE"

#endif
