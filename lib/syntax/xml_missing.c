/* xml_missing.c - see xml.h: what remains of it without libxml2. */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/xml.h"

int xml_each(
    struct span document, xml_visit *visit, void *arg, struct error *err)
{
	UNUSED(document);
	UNUSED(visit);
	UNUSED(arg);
	return error_set(err, ERROR_SYSTEM,
	    "this presto was built without libxml2, which reads such answers");
}
