/*
 * private.h - the option --private: output that can be sent to others.
 *
 * results_hide removes paths and hosts from results, and lib/db/private.h from
 * texts.  A command removes its own operands from its output.
 */
#ifndef CMD_PROGRAM_PRIVATE_H
#define CMD_PROGRAM_PRIVATE_H

/* The row of the option table; `args` has a bool `private`. */
#define OPTION_PRIVATE(args)                            \
	OPTION(FLAG, "private", 0, args, private, NULL, \
	    "leave out all paths and the names of the host and its user")

/* Printed in place of a file in a command. */
#define PRIVATE_FILE "FILE"

#endif
