/* frame.c - see frame.h. */
#include "cmd/html/frame.h"

#include "cmd/html/assets.h"
#include "cmd/html/html.h"

/* The policy allows only styles and scripts within the page itself. */
void frame_begin(const char *title, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" "
	      "content=\"default-src 'none'; style-src 'unsafe-inline'; "
	      "script-src 'unsafe-inline'; img-src data:\">\n"
	      "<meta name=\"viewport\" "
	      "content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta name=\"generator\" content=\"presto " PRESTO_VERSION
	      "\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>",
	    out);
	html_text(title, out);
	fputs(" - presto</title>\n<style>\n", out);
	fputs(asset_page_css, out);
	fputs(asset_chart_css, out);
	fputs("</style>\n</head>\n<body>\n", out);
}

void frame_end(const char *foot, const char *script, FILE *out)
{
	fputs("<footer>", out);
	html_text(foot, out);
	fputs("</footer>\n", out);
	if (script)
		fprintf(out, "<script>\n%s</script>\n", script);
	fputs("</body>\n</html>\n", out);
}
