/* all.c - every trial is measured, with all its runs. */
#include "strategies/search/search.h"

const struct search_ops search_all = {
	.name = "all",
	.summary = "measure every strategy",
	.is_default = true,
	.is_exhaustive = true,
};
