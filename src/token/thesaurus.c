/* thesaurus.c - "colour TAB color": count both as one term.
 *
 * The file has a variant and its preferred form a line.  A preferred form may
 * itself be a variant elsewhere,
 *
 *     colours  colour
 *     colour   color        colours -> color
 *     color    color        fine: the end of the chain, said aloud
 *
 * so after loading every chain is followed to its end, once, and a lookup is
 * one step.  A chain that comes back to its beginning has no end: an error,
 * like all that would make the answer depend on the order of lines.
 *
 * An empty preferred form drops the variant.  VOSviewer's thesaurus files begin
 * with the titles of their columns, "label TAB replace by"; that first line is
 * not an entry.
 */
#include "token/thesaurus.h"

#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/list_lines.h"
#include "base/mem.h"
#include "token/icu_words.h"
#include "token/token.h"

struct thesaurus_entry {
    size_t at, len; /* the preferred form, in forms */
    unsigned long line;
    uint32_t next; /* the entry the form is a variant in, or WORDMAP_NONE */
    uint32_t walk; /* the walk that came by; 0: none yet */
};

void thesaurus_release(struct thesaurus *t)
{
    if (!t)
        return;
    wordmap_release(&t->variants);
    wordmap_release(&t->preferred);
    buf_release(&t->forms);
    mem_free(t->entries);
    *t = (struct thesaurus){ 0 };
}

static int bad_line(const struct text_list *list, unsigned long line,
                    const char *what, struct cooc_err *err)
{
    return err_set(err, COOC_EINVAL, "%s:%lu: %s", list->name, line, what);
}

/* How much of text to show in a message: all, or some whole characters. */
static int shown(const char *text, size_t len)
{
    size_t n = len < 100 ? len : 100;

    while (n < len && n > 0 && ((uint8_t)text[n] & 0xc0) == 0x80)
        n--;
    return (int)n;
}

/* The one word that the variant is made of, in *word. */
static int read_variant(const struct text_list *list, unsigned long line,
                        const char *text, size_t len, struct tokeniser *words,
                        struct buf *word, struct cooc_err *err)
{
    const char *w;
    size_t n;
    int rc;

    word->len = 0;
    tokeniser_start(words, text, len);
    rc = tokeniser_next(words, &w, &n, err);
    if (rc == 0)
        return bad_line(list, line,
                        "there is no word before the TAB; a variant is a "
                        "single word",
                        err);
    if (rc > 0)
        rc = buf_add(word, w, n, err);
    if (rc < 0)
        return rc;
    rc = tokeniser_next(words, &w, &n, err);
    if (rc > 0)
        return err_set(err, COOC_EINVAL,
                       "%s:%lu: \"%.*s\" is more than one word; a variant is "
                       "a single word (the preferred form may be several)",
                       list->name, line, shown(text, len), text);
    return rc;
}

/* Append the preferred form to forms; afterwards it may be dropped again by
 * setting forms.len back. */
static int read_form(struct thesaurus *t, const struct text_list *list,
                     unsigned long line, const char *text, size_t len,
                     struct icu_words *icu, struct cooc_err *err)
{
    size_t at = t->forms.len;
    int rc = icu_words_fold(icu, text, len, &t->forms, err);

    if (rc == 0 && t->forms.len - at > TERM_MAX)
        return bad_line(list, line, "the preferred form is too long", err);
    return rc;
}

/* Add the entry variant -> the form at the end of forms. */
static int add_entry(struct thesaurus *t, const struct text_list *list,
                     unsigned long line, const struct buf *variant, size_t at,
                     struct cooc_err *err)
{
    struct thesaurus_entry e = {
        .at = at, .len = t->forms.len - at, .line = line, .next = WORDMAP_NONE
    };
    const struct thesaurus_entry *old;
    uint32_t found;
    int rc;

    if (t->n == WORDMAP_NONE)
        return bad_line(list, line, "too many variants", err);
    rc = array_grow(&t->entries, &t->cap, t->n + 1, sizeof e, err);
    if (rc == 0)
        rc = wordmap_add(&t->variants, variant->data, variant->len,
                         (uint32_t)t->n, &found, err);
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
        return err_set(err, COOC_EINVAL,
                       "%s:%lu: \"%.*s\" has another preferred form on line "
                       "%lu",
                       list->name, line, shown(variant->data, variant->len),
                       variant->data, old->line);
    t->forms.len = at;
    return 0;
}

static int read_line(struct thesaurus *t, const struct text_list *list,
                     const struct list_line *l, struct tokeniser *words,
                     struct icu_words *icu, bool exact, struct buf *variant,
                     struct cooc_err *err)
{
    const char *tab = memchr(l->text, '\t', l->len), *from = l->text, *to;
    size_t from_len, to_len, at = t->forms.len;
    int rc;

    if (!tab)
        return bad_line(list, l->number,
                        "no TAB between variant and preferred form", err);
    to = tab + 1;
    from_len = (size_t)(tab - from);
    to_len = l->len - from_len - 1;
    if (memchr(to, '\t', to_len))
        return bad_line(list, l->number, "more than one TAB", err);
    if (!exact) {
        list_trim(&from, &from_len);
        list_trim(&to, &to_len);
    }
    if (!from_len)
        return bad_line(list, l->number, "nothing before the TAB", err);
    rc = read_variant(list, l->number, from, from_len, words, variant, err);
    if (rc == 0 && to_len)
        rc = read_form(t, list, l->number, to, to_len, icu, err);
    if (rc == 0)
        rc = add_entry(t, list, l->number, variant, at, err);
    return rc;
}

static bool is_text(const char *s, size_t len, const char *text)
{
    list_trim(&s, &len);
    return len == strlen(text) && !ascii_ncasecmp(s, text, len);
}

static bool is_header(const struct list_line *l)
{
    const char *tab = memchr(l->text, '\t', l->len);
    size_t len = tab ? (size_t)(tab - l->text) : 0;

    return tab && is_text(l->text, len, "label") &&
           is_text(tab + 1, l->len - len - 1, "replace by");
}

/* Follow every chain; a walk that meets its own trace goes in a circle. */
static int resolve(struct thesaurus *t, const struct text_list *list,
                   struct cooc_err *err)
{
    for (size_t i = 0; i < t->n; i++) {
        struct thesaurus_entry *e = &t->entries[i];

        e->next = e->len ? wordmap_find(&t->variants,
                                        t->forms.data + e->at, e->len)
                         : WORDMAP_NONE;
        if (e->next == i)
            e->next = WORDMAP_NONE;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t walk = i + 1, k = i, end;

        while (t->entries[k].walk == 0 && t->entries[k].next != WORDMAP_NONE) {
            t->entries[k].walk = walk;
            k = t->entries[k].next;
        }
        if (t->entries[k].walk == walk)
            return bad_line(list, t->entries[k].line,
                            "this variant is in the end its own preferred "
                            "form, by way of others",
                            err);
        /* k is the last of its chain, or was resolved by an earlier walk. */
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
                   struct tokeniser *words, struct icu_words *icu, bool exact,
                   struct cooc_err *err)
{
    struct list_line line = { 0 };
    struct buf variant = { 0 };
    bool first = true;
    int rc = 0;

    for (; rc == 0 && list_next(list, &line); first = false)
        if (!first || !is_header(&line))
            rc = read_line(t, list, &line, words, icu, exact, &variant, err);
    if (rc == 0)
        rc = resolve(t, list, err);
    for (size_t i = 0; i < t->n && rc == 0; i++) {
        const struct thesaurus_entry *e = &t->entries[i];
        uint32_t found;

        if (e->len)
            rc = wordmap_add(&t->preferred, t->forms.data + e->at, e->len, 0,
                             &found, err);
    }
    buf_release(&variant);
    return rc;
}

bool thesaurus_prefers(const struct thesaurus *t, const char *form,
                       size_t len)
{
    return wordmap_find(&t->preferred, form, len) != WORDMAP_NONE;
}

bool thesaurus_find(const struct thesaurus *t, const char *word, size_t len,
                    const char **form, size_t *form_len)
{
    uint32_t i = wordmap_find(&t->variants, word, len);

    if (i == WORDMAP_NONE)
        return false;
    *form = t->forms.len ? t->forms.data + t->entries[i].at : "";
    *form_len = t->entries[i].len;
    return true;
}
