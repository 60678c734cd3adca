/* assets.c - see assets.h; the Makefile makes the .inc of the files. */
#include "cmd/page/assets.h"

const char asset_chart_css[] = {
#include "cmd/page/chart.css.inc"
	0
};

const char asset_page_css[] = {
#include "cmd/page/page.css.inc"
	0
};

const char asset_page_js[] = {
#include "cmd/page/page.js.inc"
	0
};

const char asset_help_html[] = {
#include "cmd/page/help.html.inc"
	0
};
