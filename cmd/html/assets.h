/*
 * assets.h - the style sheets, the script and the help text of HTML pages,
 * compiled in from chart.css, page.css, page.js and help.html.
 */
#ifndef CMD_HTML_ASSETS_H
#define CMD_HTML_ASSETS_H

extern const char asset_chart_css[];
extern const char asset_page_css[];
extern const char asset_page_js[];
extern const char asset_help_html[];

#endif
