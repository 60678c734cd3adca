/*
 * word_list.h - the words of a list in a pipeline file or an option: commas,
 * blanks and line breaks are between them.
 */
#ifndef LIB_SYNTAX_WORD_LIST_H
#define LIB_SYNTAX_WORD_LIST_H

struct error;

enum { WORD_LIST_WORD = 64 }; /* bytes of a word, with the final 0 */

/*
 * Takes the next word of *list: 1; 0 when there is none; -1 (ERROR_USAGE) when
 * it is too long.
 */
int word_list_next(
    const char **list, char word[WORD_LIST_WORD], struct error *err);

#endif
