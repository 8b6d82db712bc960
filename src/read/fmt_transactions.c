/* fmt_transactions.c - one transaction per line: items between separators.
 *
 *     bread milk,beer   ->   bread \n milk \n beer \n
 *
 * Separators are single characters; several in a row count as one.  Blanks
 * around an item are removed, blanks inside it are kept.  '#' is an ordinary
 * character: there are no comments.
 */
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "cooc.h"
#include "read/format.h"
#include "read/input.h"
#include "read/scan.h"

struct transactions_state {
    bool separates[256];
};

static int begin_transactions(struct input *in, struct cooc_err *err)
{
    struct transactions_state *s = in->state;
    const char *p = in->options->separators;

    for (p = p ? p : " \t,"; *p; p++) {
        if ((unsigned char)*p >= 0x80)
            return err_option(err, COOC_EINVAL, "separators",
                              "separators must be ASCII characters, not "
                              "'%.60s'", in->options->separators);
        s->separates[(unsigned char)*p] = true;
    }
    return 0;
}

/* Write the items of a line to out, each followed by '\n'; returns the end of
 * the output. */
static char *put_items(const struct transactions_state *s, const char *p,
                       const char *end, char *out)
{
    while (p < end) {
        const char *item = p, *stop;

        while (p < end && !s->separates[(unsigned char)*p])
            p++;
        stop = p;
        if (p < end)
            p++;
        while (item < stop && is_blank(*item))
            item++;
        while (item < stop && is_blank(stop[-1]))
            stop--;
        if (item == stop)
            continue;
        memcpy(out, item, (size_t)(stop - item));
        out += stop - item;
        *out++ = '\n';
    }
    return out;
}

static int next_transaction(struct input *in, struct cooc_err *err)
{
    const struct transactions_state *s = in->state;
    const char *line;
    size_t len;
    int rc = text_line(&in->text, &line, &len, err);

    if (rc <= 0)
        return rc;
    rc = buf_reserve(&in->body, len + 1, err);
    if (rc < 0)
        return rc;
    in->body.len =
        (size_t)(put_items(s, line, line + len, in->body.data) - in->body.data);
    return 1;
}

const struct format format_transactions = {
    .name = "transactions",
    .kind = KIND_TERMS,
    .takes_any = true,
    .uses = USE_SEPARATORS | USE_FOLD,
    .cut = CUT_LINES,
    .state_size = sizeof(struct transactions_state),
    .begin = begin_transactions,
    .next = next_transaction,
};
