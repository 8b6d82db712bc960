/* fmt_bags.c - one document per line: numbered terms and their weights.
 *
 *     ldac         2 0:3 7:1          number of pairs, id:count, ids from 0
 *     svmlight     -1 1:0.5 8:1 # x   target, id:value, ids from 1
 *
 * An empty line is a document without terms; in svmlight, a line with only a
 * comment is not a document.  A weight of zero means that the term is absent.
 * Ids are looked up in the vocabulary if the user named one; otherwise the ids
 * are the terms.
 */
#include <string.h>

#include "cooc.h"
#include "base/err.h"
#include "read/format.h"
#include "read/input.h"
#include "read/scan.h"

static int begin_bag(struct input *in, struct cooc_err *err)
{
    return vocab_load(in, in->options->vocab_file, err);
}

/* base: the id of the first word in the vocabulary. */
static int add_term(struct input *in, uint64_t id, uint64_t base,
                    struct cooc_err *err)
{
    const struct vocab *v = &in->vocab;

    if (v->path && (id < base || id - base >= v->n))
        return err_add_option(
            err,
            input_wrong(in, err,
                        "term %llu is out of range (number of words in %s: "
                        "%zu, counted from %llu)",
                        (unsigned long long)id, v->path, v->n,
                        (unsigned long long)base),
            base && id == 0 ? "zero_based" : "vocab_file");
    return vocab_add_term(in, id - base, id, err);
}

/* Add the id:weight pairs up to the end or a '#'; *n is their number. */
static int add_pairs(struct input *in, struct scan *c, uint64_t base,
                     uint64_t *n, struct cooc_err *err)
{
    *n = 0;
    for (scan_blanks(c); c->at < c->end && *c->at != '#'; scan_blanks(c)) {
        const char *field = c->at;
        enum sign weight;
        uint64_t id;
        int rc;

        if (!scan_u64(c, &id) || !scan_char(c, ':')) {
            size_t len = (size_t)(c->end - field);

            return input_wrong(in, err, "expected number:weight, found '%.*s'",
                               (int)(len < 30 ? len : 30), field);
        }
        weight = scan_number(c);
        if (weight == SIGN_NONE || !scan_field_end(c))
            return input_wrong(in, err,
                               "the weight of term %llu is not a number",
                               (unsigned long long)id);
        rc = weight == SIGN_ZERO ? 0 : add_term(in, id, base, err);
        if (rc < 0)
            return rc;
        ++*n;
    }
    return 0;
}

static int next_ldac(struct input *in, struct cooc_err *err)
{
    uint64_t said, n;
    struct scan c;
    int rc = input_fields(in, &c, err);

    if (rc <= 0 || c.at == c.end)
        return rc;
    if (!scan_u64(&c, &said) || !scan_field_end(&c))
        return input_wrong(in, err,
                           "the line does not begin with the number of terms");
    rc = add_pairs(in, &c, 0, &n, err);
    if (rc < 0)
        return rc;
    if (n != said || c.at != c.end)
        return input_wrong(in, err,
                           "the number of terms is %llu, but the line has %llu",
                           (unsigned long long)said, (unsigned long long)n);
    return 1;
}

const struct format format_ldac = {
    .name = "ldac",
    .kind = KIND_TERMS,
    .uses = USE_VOCAB | USE_FOLD,
    .cut = CUT_LINES,
    .begin = begin_bag,
    .next = next_ldac,
};

static int next_svmlight(struct input *in, struct cooc_err *err)
{
    const char *field;
    struct scan c;
    uint64_t n;
    size_t len;
    int rc;

    do /* skip comments */
        rc = input_fields(in, &c, err);
    while (rc > 0 && c.at < c.end && *c.at == '#');
    if (rc <= 0 || c.at == c.end)
        return rc;
    len = scan_field(&c, &field);
    if (memchr(field, ':', len))
        return input_wrong(in, err, "the line does not begin with a target");
    scan_blanks(&c);
    if (c.end - c.at > 4 && memcmp(c.at, "qid:", 4) == 0)
        scan_field(&c, &field);
    rc = add_pairs(in, &c, in->options->zero_based ? 0 : 1, &n, err);
    return rc < 0 ? rc : 1;
}

const struct format format_svmlight = {
    .name = "svmlight",
    .kind = KIND_TERMS,
    .uses = USE_VOCAB | USE_ZERO_BASED | USE_FOLD,
    .cut = CUT_LINES,
    .begin = begin_bag,
    .next = next_svmlight,
};
