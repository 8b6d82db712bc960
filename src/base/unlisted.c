/* unlisted.c - collect the entries and word the message. */
#include "base/unlisted.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

#define OPTION "phrases_file"
#define QUOTED_MAX 100u /* bytes of an entry */

void unlisted_add(struct unlisted *u, const char *entry, size_t len)
{
    size_t quoted = len < QUOTED_MAX ? len : QUOTED_MAX;

    while (quoted < len && quoted && ((uint8_t)entry[quoted] & 0xc0) == 0x80)
        quoted--; /* do not cut inside a character */
    if (u->n++ > u->named || u->len + quoted + 5 > sizeof u->text)
        return;
    u->len += (size_t)snprintf(u->text + u->len, sizeof u->text - u->len,
                               "%s'%.*s'", u->len ? ", " : "", (int)quoted,
                               entry);
    u->named++;
}

bool unlisted_is(const struct cooc_err *err)
{
    return err->code == COOC_EINVAL && !strcmp(err->option, OPTION);
}

int unlisted_error(const struct unlisted *u, const char *path,
                   struct cooc_err *err)
{
    char more[48] = "", text[sizeof err->text];

    if (u->n > u->named)
        snprintf(more, sizeof more, " and %" PRIu64 " more", u->n - u->named);
    if (u->n == 1)
        snprintf(text, sizeof text,
                 "%s is several words and not a phrase of this store; to make "
                 "it a term, index again with a list of phrases that has it",
                 u->text);
    else
        snprintf(text, sizeof text,
                 "%" PRIu64 " entries are several words and not phrases of "
                 "this store: %s%s; to make them terms, index again with a "
                 "list of phrases that has them", u->n, u->text, more);
    return path ? err_path_option(err, COOC_EINVAL, path, OPTION, "%s", text)
                : err_option(err, COOC_EINVAL, OPTION, "%s", text);
}
