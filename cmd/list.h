/*
 * list.h - what a build can do, of one family.
 */
#ifndef CMD_LIST_H
#define CMD_LIST_H

/* Kinds of made-up data and their options, on stdout. */
void list_generators(void);

#endif
