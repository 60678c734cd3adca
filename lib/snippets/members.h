/* members.h - reads samples from tar, through webdataset. */
#ifndef LIB_SNIPPETS_MEMBERS_H
#define LIB_SNIPPETS_MEMBERS_H

#include "lib/snippets/program.h"

/* Defines prepare(sample), which returns (x, label). */
void program_prepare_members(
    struct program *program, const struct array_library *arrays);

#endif
