/* phrase_lists.c - read entries of lists; those of several words are phrases.
 *
 * An entry is split into words like a text, so "IL-6" is the words "il" and
 * "6".  Its name is the whole entry, folded, with each run of white space as
 * one blank.
 *
 * The list that a store keeps has the entries of --phrases and --terms, without
 * those that repeat the words of an earlier entry.  It has them as they were
 * written, not folded, because the words of a folded entry might be others.  As
 * each phrase is in it once, its order does not matter, so that it is sorted:
 * stores with the same phrases have the same list.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/list_lines.h"
#include "base/mem.h"
#include "token/icu_words.h"
#include "token/tokeniser.h"

int tokeniser_split_entry(struct tokeniser *t, const char *text, size_t len,
                          struct cooc_err *err)
{
    struct entry_words *e = &t->entry;
    const char *word;
    size_t n;
    int rc;

    e->n = e->text.len = e->word.len = 0;
    tokeniser_start(t, text, len);
    while ((rc = tokeniser_next(t, &word, &n, err)) > 0) {
        rc = e->n ? 0 : buf_add(&e->word, word, n, err);
        if (rc == 0 && e->n < PHRASE_WORDS_MAX && n <= TERM_MAX)
            rc = t->stemmer ? tokeniser_add_stem(t, word, n, &e->text, err)
                            : buf_add(&e->text, word, n, err);
        if (rc < 0)
            return rc;
        if (e->n < PHRASE_WORDS_MAX)
            e->ends[e->n] = (uint32_t)e->text.len;
        e->n++;
    }
    return rc;
}

int tokeniser_phrase(struct tokeniser *t, const char *text, size_t len,
                     size_t *words, const char **name, size_t *name_len,
                     struct cooc_err *err)
{
    const struct phrases *p = t->rules->phrases;
    uint32_t phrase = PHRASE_NONE;
    int rc = tokeniser_split_entry(t, text, len, err);

    *name = NULL;
    *words = t->entry.n;
    if (rc == 0 && p)
        phrase = phrases_find(p, &t->entry);
    if (phrase != PHRASE_NONE)
        *name = phrases_name(p, phrase, name_len);
    return rc;
}

int tokeniser_phrase_word(struct tokeniser *t, const char *word, size_t len,
                          struct phrase_word *out, struct cooc_err *err)
{
    const struct phrases *p = t->rules->phrases;
    int rc;

    if (!t->stemmer) {
        *out = phrases_word(p, word, len);
        return 0;
    }
    t->entry.text.len = 0;
    rc = tokeniser_add_stem(t, word, len, &t->entry.text, err);
    if (rc == 0)
        *out = phrases_word(p, t->entry.text.data, t->entry.text.len);
    return rc;
}

/* Write the name of an entry to t->chunk. */
static int make_name(struct tokeniser *t, const char *text, size_t len,
                     struct cooc_err *err)
{
    int rc;

    t->chunk.len = 0;
    rc = buf_reserve(&t->chunk, len + 1, err);
    if (rc == 0 && !token_ascii_item(text, len, t->rules->keep_case,
                                     t->chunk.data, &t->chunk.len))
        rc = icu_words_name(t->icu, text, len, &t->chunk, err);
    return rc;
}

int rules_read_entry(struct rules *r, struct tokeniser *t, const char *text,
                     size_t len, const char *list, unsigned long line,
                     struct list_entry *out, struct cooc_err *err)
{
    uint32_t phrase, before = phrases_count(r->phrases);
    int rc = tokeniser_split_entry(t, text, len, err);

    *out = (struct list_entry){ .words = t->entry.n, .name = t->entry.word.data,
                                .len = t->entry.word.len };
    if (rc < 0 || !r->phrases || t->entry.n < 2)
        return rc;
    if (t->entry.n > PHRASE_WORDS_MAX)
        return err_line(err, COOC_EINVAL, list, line,
                        "a phrase has %zu words, but at most %u are "
                        "supported; write one entry per line", t->entry.n,
                        PHRASE_WORDS_MAX);
    rc = make_name(t, text, len, err);
    if (rc == 0 && (t->chunk.len > TERM_MAX ||
                    t->entry.text.len + t->entry.n > TERM_MAX))
        return err_line(err, COOC_EINVAL, list, line,
                        "a phrase has %zu bytes, but at most %u are "
                        "supported", t->chunk.len, TERM_MAX);
    if (rc == 0)
        rc = phrases_add(r->phrases, &t->entry, t->chunk.data, t->chunk.len,
                         &phrase, err);
    if (rc == COOC_ELIMIT)
        return err_line(err, rc, list, line,
                        "more than %u phrases are not supported; remove some",
                        PHRASES_MAX);
    if (rc < 0)
        return rc;
    out->is_new = phrases_count(r->phrases) > before;
    out->name = phrases_name(r->phrases, phrase, &out->len);
    return 0;
}

/* ---- lists of phrases ---------------------------------------------------- */

struct listed {
    uint64_t head; /* the first 8 bytes, comparable as a number */
    const char *text;
    size_t len;
};

static struct listed listed_of(const char *text, size_t len)
{
    uint64_t head = 0;

    memcpy(&head, text, len < sizeof head ? len : sizeof head);
    return (struct listed){ be64toh(head), text, len };
}

/* Add the entries of a list that are new phrases to *out. */
static int read_list(struct rules *r, struct tokeniser *t,
                     const struct text_list *list, struct listed **out,
                     size_t *n, size_t *cap, struct cooc_err *err)
{
    struct list_line line = { 0 };
    int rc = 0;

    while (rc == 0 && list->text && list_next(list, &line)) {
        struct list_entry e;

        ascii_trim(&line.text, &line.len, ASCII_SPACE);
        rc = rules_read_entry(r, t, line.text, line.len, list->name,
                              line.number, &e, err);
        if (rc < 0 || !e.is_new)
            continue;
        rc = array_grow(out, cap, *n + 1, sizeof **out, err);
        if (rc == 0)
            (*out)[(*n)++] = listed_of(line.text, line.len);
    }
    return rc;
}

static int by_bytes(const void *x, const void *y)
{
    const struct listed *a = x, *b = y;
    int order;

    if (a->head != b->head)
        return a->head < b->head ? -1 : 1;
    order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);
    return order ? order : (a->len > b->len) - (a->len < b->len);
}

int phrase_lists_read(struct rules *r, struct tokeniser *t,
                      const struct text_list *phrases,
                      const struct text_list *terms, struct cooc_err *err)
{
    struct listed *all = NULL;
    size_t n = 0, cap = 0;
    int rc = read_list(r, t, phrases, &all, &n, &cap, err);

    if (rc == 0)
        rc = read_list(r, t, terms, &all, &n, &cap, err);
    if (rc == 0 && n)
        qsort(all, n, sizeof *all, by_bytes);
    for (size_t i = 0; i < n && rc == 0; i++) {
        rc = buf_add(&r->listed, all[i].text, all[i].len, err);
        if (rc == 0)
            rc = buf_byte(&r->listed, '\n', err);
    }
    mem_free(all);
    return rc;
}
