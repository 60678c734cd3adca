/* list.h - lists that other commands print, too. */
#ifndef CMD_LIST_H
#define CMD_LIST_H

/* Prints the kinds of generated data and their options on stdout. */
void list_generators(void);

#endif
