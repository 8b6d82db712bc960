/* fmt_transactions.c - a transaction a line: items between separators.
 *
 *     bread milk,beer   ->   bread \n milk \n beer \n
 *
 * Separators are single characters; several in a row count as one.
 */
#include <stdbool.h>

#include "base/err.h"
#include "cooc.h"
#include "read/format.h"
#include "read/input.h"
#include "read/read.h"

struct transactions_state {
    bool separates[256];
};

static int begin_transactions(void *state, struct input *in,
                              struct cooc_err *err)
{
    struct transactions_state *s = state;
    const char *p = in->options->separators;

    for (p = p ? p : " \t,"; *p; p++) {
        if ((unsigned char)*p >= 0x80)
            return err_set(err, COOC_EINVAL,
                           "separators must be ASCII characters: \"%.60s\"",
                           in->options->separators);
        s->separates[(unsigned char)*p] = true;
    }
    return 0;
}

static int next_transaction(void *state, struct input *in, struct document *doc,
                            struct cooc_err *err)
{
    const struct transactions_state *s = state;
    const char *line;
    bool between = true;
    char *out;
    size_t len;
    int rc = line_reader_next(&in->lines, &line, &len, err);

    if (rc <= 0)
        return rc;
    in->body.len = 0;
    rc = buf_reserve(&in->body, len + 1, err);
    if (rc == 0)
        rc = input_name(in, in->lines.line, doc, err);
    if (rc < 0)
        return rc;
    out = in->body.data;
    for (size_t i = 0; i < len; i++) {
        bool separator = s->separates[(unsigned char)line[i]];

        if (!separator)
            *out++ = line[i];
        else if (!between)
            *out++ = '\n';
        between = separator;
    }
    if (!between)
        *out++ = '\n';
    doc->text = in->body.data;
    doc->text_len = (size_t)(out - in->body.data);
    return 1;
}

const struct format format_transactions = {
    .name = "transactions",
    .summary = "items between blanks, tabs or commas, a basket a line",
    .is_terms = true,
    .state_size = sizeof(struct transactions_state),
    .begin = begin_transactions,
    .next = next_transaction,
};
