/* xml.c - see xml.h. */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include <libxml/parser.h>
#include <libxml/xmlerror.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/xml.h"

struct reader {
	xmlParserCtxtPtr parser; /* borrowed, while it parses */
	xml_visit *visit;
	void *arg;
	char path[XML_PATH_MOST];
	size_t path_len;
	struct buf text;
	bool is_leaf; /* no element has ended in the newest open one */
	bool has_failed;
	struct error *err;
};

static pthread_once_t initialized = PTHREAD_ONCE_INIT;

static void fail(struct reader *reader)
{
	reader->has_failed = true;
	xmlStopParser(reader->parser);
}

static void on_begin(void *arg, const xmlChar *name, const xmlChar *prefix,
    const xmlChar *uri, int namespaces, const xmlChar **namespace_list,
    int attributes, int defaulted, const xmlChar **attribute_list)
{
	struct reader *reader = arg;
	const size_t len = strlen((const char *)name);

	UNUSED(prefix);
	UNUSED(uri);
	UNUSED(namespaces);
	UNUSED(namespace_list);
	UNUSED(attributes);
	UNUSED(defaulted);
	UNUSED(attribute_list);
	if (reader->has_failed)
		return;
	if (reader->path_len + 1 + len >= sizeof(reader->path)) {
		error_set(
		    reader->err, ERROR_DATA, "elements are nested too deeply");
		fail(reader);
		return;
	}
	if (reader->path_len)
		reader->path[reader->path_len++] = '/';
	memcpy(reader->path + reader->path_len, name, len + 1);
	reader->path_len += len;
	reader->text.len = 0;
	reader->is_leaf = true;
}

static void on_text(void *arg, const xmlChar *text, int len)
{
	struct reader *reader = arg;

	if (reader->has_failed || !reader->is_leaf)
		return;
	if (reader->text.len + (size_t)len > XML_TEXT_MOST) {
		error_set(reader->err, ERROR_DATA,
		    "a text has more than %d bytes", XML_TEXT_MOST);
		fail(reader);
	} else if (buf_append(&reader->text, text, (size_t)len, reader->err)) {
		fail(reader);
	}
}

static void on_end(
    void *arg, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
	struct reader *reader = arg;
	const size_t len = strlen((const char *)name);

	UNUSED(prefix);
	UNUSED(uri);
	if (reader->has_failed)
		return;
	if (!reader->is_leaf)
		reader->text.len = 0;
	if (buf_append(&reader->text, "", 1, reader->err) ||
	    reader->visit(reader->arg, reader->path,
	        (const char *)reader->text.data, reader->err)) {
		fail(reader);
		return;
	}
	reader->path_len -= len;
	if (reader->path_len)
		reader->path_len--;
	reader->path[reader->path_len] = '\0';
	reader->text.len = 0;
	reader->is_leaf = false;
}

static void on_document_type(void *arg, const xmlChar *name,
    const xmlChar *public_id, const xmlChar *system_id)
{
	struct reader *reader = arg;

	UNUSED(name);
	UNUSED(public_id);
	UNUSED(system_id);
	if (reader->has_failed)
		return;
	error_set(reader->err, ERROR_DATA, "it has a document type");
	fail(reader);
}

static void on_mistake(void *arg, xmlErrorPtr mistake)
{
	struct reader *reader = arg;
	size_t len;

	if (reader->has_failed || mistake->level < XML_ERR_FATAL)
		return;
	reader->has_failed = true;
	len = mistake->message ? strcspn(mistake->message, "\n") : 0;
	error_set(reader->err, ERROR_DATA, "line %d: %.*s", mistake->line,
	    (int)(len < 200 ? len : 200), len ? mistake->message : "");
}

/* The events used; all others are ignored. */
static const xmlSAXHandler events = {
	.internalSubset = on_document_type,
	.startElementNs = on_begin,
	.endElementNs = on_end,
	.characters = on_text,
	.cdataBlock = on_text,
	.serror = on_mistake,
	.initialized = XML_SAX2_MAGIC,
};

static int parse(struct reader *reader, struct span document, struct error *err)
{
	xmlSAXHandler handler = events;

	reader->parser =
	    xmlCreatePushParserCtxt(&handler, reader, NULL, 0, NULL);
	if (!reader->parser)
		return error_set(err, ERROR_MEMORY, "out of memory");
	xmlCtxtUseOptions(reader->parser, XML_PARSE_NONET);
	xmlParseChunk(
	    reader->parser, (const char *)document.data, (int)document.len, 1);
	if (!reader->has_failed && !reader->parser->wellFormed) {
		reader->has_failed = true;
		error_set(err, ERROR_DATA, "it is not well-formed");
	}
	xmlFreeParserCtxt(reader->parser);
	return reader->has_failed ? -1 : 0;
}

int xml_each(
    struct span document, xml_visit *visit, void *arg, struct error *err)
{
	struct reader reader = { .visit = visit, .arg = arg, .err = err };
	int rc;

	if (document.len > XML_BYTES_MOST)
		return error_set(err, ERROR_DATA,
		    "it has %zu bytes; at most %d are read", document.len,
		    XML_BYTES_MOST);
	/* Servers send blanks to keep a connection while they work. */
	while (document.len && *document.data &&
	       strchr(" \t\r\n", *document.data)) {
		document.data++;
		document.len--;
	}
	if (document.len == 0)
		return error_set(err, ERROR_DATA, "it is empty");
	pthread_once(&initialized, xmlInitParser);
	rc = parse(&reader, document, err);
	buf_release(&reader.text);
	return rc;
}
