/* thesaurus.c - "colour TAB color": count both as one term.
 *
 * Each line of the file has a variant and its preferred form.  A preferred form
 * may itself be a variant on another line:
 *
 *     colours  colour
 *     colour   color        colours -> color
 *     color    color        allowed: states that the chain ends here
 *
 * After loading, every chain is followed to its end once, so that a lookup is a
 * single step.  A chain that returns to its beginning is an error, and so is
 * anything else that would make the result depend on the order of lines.
 *
 * An empty preferred form drops the variant.  VOSviewer's thesaurus files begin
 * with a header line, "label TAB replace by", which is not an entry.
 */
#include "token/thesaurus.h"

#include <string.h>

#include "base/ascii_case.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/list_lines.h"
#include "base/mem.h"
#include "token/rules.h"

struct thesaurus_entry {
    size_t at, len; /* the preferred form: forms[at..at + len) */
    unsigned long line;
    /* Index of the entry in which the preferred form is a variant, or
     * DICT_NONE. */
    uint32_t next;
    /* Number of the walk in resolve() that visited this entry; 0: none yet. */
    uint32_t walk;
};

void thesaurus_release(struct thesaurus *t)
{
    if (!t)
        return;
    dict_free(t->variants);
    dict_free(t->preferred);
    buf_release(&t->forms);
    mem_free(t->entries);
    *t = (struct thesaurus){ 0 };
}

/* State while a list is loaded. */
struct loading {
    struct thesaurus *t;
    const struct text_list *list;
    struct list_line line;
    struct rules *r;
    struct tokeniser *words;
    bool exact;
    struct buf variant; /* the variant on the current line */
};

static int bad_line(const struct loading *l, unsigned long line,
                    const char *what, struct cooc_err *err)
{
    return err_line(err, COOC_EINVAL, l->list->name, line, "%s", what);
}

/* Number of bytes of text to quote in a message: at most 100, without splitting
 * a character. */
static int quoted_length(const char *text, size_t len)
{
    size_t n = len < 100 ? len : 100;

    while (n < len && n > 0 && ((uint8_t)text[n] & 0xc0) == 0x80)
        n--;
    return (int)n;
}

static int set_variant(struct loading *l, const char *name, size_t len,
                       struct cooc_err *err)
{
    int rc = buf_set(&l->variant, name, len, err);

    if (rc == 0 && len > TERM_MAX) { /* longer than any term: match nothing */
        l->variant.data[TERM_MAX - 1] = '\n';
        l->variant.len = TERM_MAX;
    }
    return rc;
}

/* Read the variant, a word or a phrase, into l->variant. */
static int read_any_variant(struct loading *l, const char *text, size_t len,
                            struct cooc_err *err)
{
    struct list_entry e;
    int rc = rules_read_entry(l->r, l->words, text, len, l->list->name,
                              l->line.number, &e, err);

    if (rc == 0 && !e.words)
        return bad_line(l, l->line.number, "no word before the TAB", err);
    return rc < 0 ? rc : set_variant(l, e.name, e.len, err);
}

/* Append the preferred form to t->forms. */
static int read_preferred(struct loading *l, const char *text, size_t len,
                          struct cooc_err *err)
{
    struct list_entry e = { 0 };
    int rc = 0;

    if (l->r->phrases)
        rc = rules_read_entry(l->r, l->words, text, len, l->list->name,
                              l->line.number, &e, err);
    if (rc < 0)
        return rc;
    return e.words > 1
               ? buf_add(&l->t->forms, e.name, e.len, err)
               : tokeniser_fold(l->words, text, len, &l->t->forms, err);
}

/* Read the variant, which must be a single word, into l->variant. */
static int read_variant(struct loading *l, const char *text, size_t len,
                        struct cooc_err *err)
{
    const char *word;
    size_t n;
    int rc;

    tokeniser_start(l->words, text, len);
    rc = tokeniser_next(l->words, &word, &n, err);
    if (rc == 0)
        return bad_line(l, l->line.number,
                        "no word before the TAB; a variant must be a single "
                        "word", err);
    if (rc > 0)
        rc = set_variant(l, word, n, err);
    if (rc == 0)
        rc = tokeniser_next(l->words, &word, &n, err);
    if (rc > 0)
        return err_line(err, COOC_EINVAL, l->list->name, l->line.number,
                        "'%.*s' is more than one word; a variant must be a "
                        "single word (the preferred form may have several)",
                        quoted_length(text, len), text);
    return rc;
}

/* Add an entry that maps l->variant to the preferred form at forms[at..]. */
static int add_entry(struct loading *l, size_t at, struct cooc_err *err)
{
    struct thesaurus *t = l->t;
    struct thesaurus_entry e = { .at = at, .len = t->forms.len - at,
                                 .line = l->line.number,
                                 .next = DICT_NONE };
    const struct thesaurus_entry *old;
    uint32_t found;
    int rc = array_grow(&t->entries, &t->cap, t->n + 1, sizeof e, err);

    if (rc == 0)
        rc = dict_add(t->variants, l->variant.data, l->variant.len, &found,
                      err);
    if (rc < 0)
        return rc;
    if (found == t->n) {
        t->entries[t->n++] = e;
        return 0;
    }
    old = &t->entries[found];
    if (old->len != e.len ||
        (e.len &&
         memcmp(t->forms.data + old->at, t->forms.data + at, e.len) != 0))
        return err_line(err, COOC_EINVAL, l->list->name, e.line,
                        "'%.*s' has another preferred form on line %lu",
                        quoted_length(l->variant.data, l->variant.len),
                        l->variant.data, old->line);
    t->forms.len = at;
    return 0;
}

static int read_line(struct loading *l, struct cooc_err *err)
{
    const char *from = l->line.text, *to, *tab;
    size_t from_len, to_len, at = l->t->forms.len;
    int rc;

    tab = memchr(from, '\t', l->line.len);
    if (!tab)
        return bad_line(l, l->line.number,
                        "no TAB between variant and preferred form", err);
    to = tab + 1;
    from_len = (size_t)(tab - from);
    to_len = l->line.len - from_len - 1;
    if (memchr(to, '\t', to_len))
        return bad_line(l, l->line.number, "more than one TAB", err);
    if (!l->exact) {
        ascii_trim(&from, &from_len, ASCII_SPACE);
        ascii_trim(&to, &to_len, ASCII_SPACE);
    }
    if (!from_len)
        return bad_line(l, l->line.number,
                        "the variant before the TAB is empty", err);
    rc = l->r->phrases ? read_any_variant(l, from, from_len, err)
                       : read_variant(l, from, from_len, err);
    if (rc == 0 && to_len)
        rc = read_preferred(l, to, to_len, err);
    if (rc == 0 && l->t->forms.len - at > TERM_MAX)
        return bad_line(l, l->line.number, "the preferred form is too long",
                        err);
    return rc < 0 ? rc : add_entry(l, at, err);
}

static bool is_header(const struct list_line *l)
{
    const char *from = l->text, *tab = memchr(from, '\t', l->len), *to;
    size_t len, to_len;

    if (!tab)
        return false;
    to = tab + 1;
    len = (size_t)(tab - from);
    to_len = l->len - len - 1;
    ascii_trim(&from, &len, ASCII_SPACE);
    ascii_trim(&to, &to_len, ASCII_SPACE);
    return ascii_is(from, len, "label") && ascii_is(to, to_len, "replace by");
}

/* Follow every chain to its end.  A walk that meets an entry which it has
 * already visited has found a cycle. */
static int resolve(const struct loading *l, struct cooc_err *err)
{
    struct thesaurus *t = l->t;

    for (size_t i = 0; i < t->n; i++) {
        struct thesaurus_entry *e = &t->entries[i];

        e->next = e->len ? dict_find(t->variants, t->forms.data + e->at,
                                     e->len)
                         : DICT_NONE;
        if (e->next == i)
            e->next = DICT_NONE;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t walk = i + 1, k = i, end;

        while (t->entries[k].walk == 0 && t->entries[k].next != DICT_NONE) {
            t->entries[k].walk = walk;
            k = t->entries[k].next;
        }
        if (t->entries[k].walk == walk)
            return bad_line(l, t->entries[k].line,
                            "this variant is replaced by itself through other "
                            "lines; remove one of them", err);
        /* k is the end of its chain, or was resolved by an earlier walk. */
        end = k;
        for (k = i; k != end;) {
            struct thesaurus_entry *e = &t->entries[k];

            k = e->next;
            e->at = t->entries[end].at;
            e->len = t->entries[end].len;
        }
    }
    return 0;
}

int thesaurus_load(struct thesaurus *t, const struct text_list *list,
                   struct rules *r, struct tokeniser *words,
                   struct cooc_err *err)
{
    struct loading l = { .t = t, .list = list, .r = r, .words = words,
                         .exact = r->mode == TOKENS_LINES };
    bool first = true;
    int rc = dict_new(&t->variants, err);

    if (rc == 0)
        rc = dict_new(&t->preferred, err);
    for (; rc == 0 && list_next(list, &l.line); first = false)
        if (!first || !is_header(&l.line))
            rc = read_line(&l, err);
    if (rc == 0)
        rc = resolve(&l, err);
    for (size_t i = 0; i < t->n && rc == 0; i++) {
        const struct thesaurus_entry *e = &t->entries[i];
        uint32_t found;

        if (e->len)
            rc = dict_add(t->preferred, t->forms.data + e->at, e->len, &found,
                          err);
    }
    buf_release(&l.variant);
    return rc;
}

bool thesaurus_prefers(const struct thesaurus *t, const char *form,
                       size_t len)
{
    return t->n && dict_find(t->preferred, form, len) != DICT_NONE;
}

bool thesaurus_find(const struct thesaurus *t, const char *word, size_t len,
                    const char **form, size_t *form_len)
{
    uint32_t i = t->n ? dict_find(t->variants, word, len) : DICT_NONE;

    if (i == DICT_NONE)
        return false;
    *form = t->forms.len ? t->forms.data + t->entries[i].at : "";
    *form_len = t->entries[i].len;
    return true;
}
