/* assets.c - see assets.h; the Makefile turns the files into .inc files. */
#include "cmd/html/assets.h"

const char asset_chart_css[] = {
#include "cmd/html/chart.css.inc"
	0
};

const char asset_page_css[] = {
#include "cmd/html/page.css.inc"
	0
};

const char asset_page_js[] = {
#include "cmd/html/page.js.inc"
	0
};

const char asset_help_html[] = {
#include "cmd/html/help.html.inc"
	0
};
