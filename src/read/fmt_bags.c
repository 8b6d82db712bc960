/* fmt_bags.c - a document a line, as numbered terms and their weights.
 *
 *     ldac         2 0:3 7:1          how many, then id:count, ids from 0
 *     svmlight     -1 1:0.5 8:1 # x   target, then id:value, ids from 1
 *
 * An empty line is a document without terms; a line that is only a comment
 * (svmlight) is not a document.  A weight of zero means absent.  Numbers are
 * looked up in the vocabulary if the user named one; otherwise they are the
 * terms.
 */
#include <string.h>

#include "cooc.h"
#include "read/format.h"
#include "read/input.h"
#include "read/read.h"
#include "read/scan.h"
#include "read/vocab.h"

struct bag_state {
    struct vocab vocab;
    uint64_t base; /* the number of the vocabulary's first word */
};

static int begin_bag(struct bag_state *s, uint64_t base, struct input *in,
                     struct cooc_err *err)
{
    s->base = base;
    if (!in->options->vocab_file)
        return 0;
    return vocab_load(&s->vocab, in->options->vocab_file, in, err);
}

static void release_bag(void *state)
{
    struct bag_state *s = state;

    vocab_release(&s->vocab);
}

static int add_term(struct bag_state *s, uint64_t id, struct input *in,
                    struct cooc_err *err)
{
    if (s->vocab.path && (id < s->base || id - s->base >= s->vocab.n))
        return input_wrong(in, err,
                           "term %llu is out of range (number of words in %s: "
                           "%zu, counted from %llu)%s",
                           (unsigned long long)id, s->vocab.path, s->vocab.n,
                           (unsigned long long)s->base,
                           s->base && id == 0 ? " (see --zero-based)" : "");
    return vocab_add_term(&s->vocab, id - s->base, id, in, err);
}

/* id:weight pairs up to the end or a '#'; *n of them. */
static int add_pairs(struct bag_state *s, struct scan *c, uint64_t *n,
                     struct input *in, struct cooc_err *err)
{
    *n = 0;
    for (scan_blanks(c); c->at < c->end && *c->at != '#'; scan_blanks(c)) {
        const char *field = c->at;
        enum sign weight;
        uint64_t id;
        int rc;

        if (!scan_u64(c, &id) || !scan_char(c, ':')) {
            size_t len = (size_t)(c->end - field);

            return input_wrong(in, err, "no number:weight at \"%.*s\"",
                               (int)(len < 30 ? len : 30), field);
        }
        weight = scan_number(c);
        if (weight == SIGN_NONE || !scan_field_end(c))
            return input_wrong(in, err, "the weight of %llu is no number",
                               (unsigned long long)id);
        rc = weight == SIGN_ZERO ? 0 : add_term(s, id, in, err);
        if (rc < 0)
            return rc;
        ++*n;
    }
    return 0;
}

static int hand_out(struct input *in, struct document *doc,
                    struct cooc_err *err)
{
    int rc = input_name(in, in->lines.line, doc, err);

    doc->text = in->body.len ? in->body.data : "";
    doc->text_len = in->body.len;
    return rc < 0 ? rc : 1;
}

/* ---- ldac ---- */

static int begin_ldac(void *state, struct input *in, struct cooc_err *err)
{
    return begin_bag(state, 0, in, err);
}

static int next_ldac(void *state, struct input *in, struct document *doc,
                     struct cooc_err *err)
{
    const char *line;
    uint64_t said, n;
    struct scan c;
    size_t len;
    int rc = line_reader_next(&in->lines, &line, &len, err);

    if (rc <= 0)
        return rc;
    in->body.len = 0;
    c = scan_of(line, len);
    scan_blanks(&c);
    if (c.at == c.end)
        return hand_out(in, doc, err);
    if (!scan_u64(&c, &said) || !scan_field_end(&c))
        return input_wrong(in, err, "no number of terms in front");
    rc = add_pairs(state, &c, &n, in, err);
    if (rc < 0)
        return rc;
    if (n != said || c.at != c.end)
        return input_wrong(in, err,
                           "the number of terms is %llu, but the line holds "
                           "%llu",
                           (unsigned long long)said, (unsigned long long)n);
    return hand_out(in, doc, err);
}

const struct format format_ldac = {
    .name = "ldac",
    .summary = "LDA-C: M id:count ..., a document a line",
    .is_terms = true,
    .state_size = sizeof(struct bag_state),
    .begin = begin_ldac,
    .next = next_ldac,
    .release = release_bag,
};

/* ---- svmlight ---- */

static int begin_svmlight(void *state, struct input *in, struct cooc_err *err)
{
    return begin_bag(state, in->options->zero_based ? 0 : 1, in, err);
}

static int next_svmlight(void *state, struct input *in, struct document *doc,
                         struct cooc_err *err)
{
    const char *line, *field;
    uint64_t n;
    struct scan c;
    size_t len;
    int rc;

    do { /* step over comments */
        rc = line_reader_next(&in->lines, &line, &len, err);
        if (rc <= 0)
            return rc;
        c = scan_of(line, len);
        scan_blanks(&c);
    } while (c.at < c.end && *c.at == '#');
    in->body.len = 0;
    if (c.at == c.end)
        return hand_out(in, doc, err);
    len = scan_field(&c, &field);
    if (memchr(field, ':', len))
        return input_wrong(in, err, "no target in front");
    scan_blanks(&c);
    if (c.end - c.at > 4 && memcmp(c.at, "qid:", 4) == 0)
        scan_field(&c, &field);
    rc = add_pairs(state, &c, &n, in, err);
    return rc < 0 ? rc : hand_out(in, doc, err);
}

const struct format format_svmlight = {
    .name = "svmlight",
    .summary = "target id:value ... # comment, a document a line",
    .is_terms = true,
    .state_size = sizeof(struct bag_state),
    .begin = begin_svmlight,
    .next = next_svmlight,
    .release = release_bag,
};
