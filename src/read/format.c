/* format.c - the table of formats. */
#include "read/format.h"

#include "cooc_build.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"

const struct format *const formats[FORMATS] = {
    &format_lines, &format_tsv,  &format_files,    &format_jsonl,
    &format_trec,  &format_html, &format_warc,     &format_triples,
    &format_uci,   &format_ldac, &format_svmlight, &format_transactions,
};

int format_find(const struct format **out, const char *name,
                struct cooc_err *err)
{
    char known[256] = "";

    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i]->name, name) == 0) {
            *out = formats[i];
            return 0;
        }
        if (i)
            strncat(known, ", ", sizeof known - strlen(known) - 1);
        strncat(known, formats[i]->name, sizeof known - strlen(known) - 1);
    }
    *out = NULL;
    return err_set(err, COOC_EINVAL, "unknown format \"%.60s\"; known are %s",
                   name, known);
}

const char *cooc_format_get(unsigned i)
{
    return i < FORMATS ? formats[i]->name : NULL;
}
