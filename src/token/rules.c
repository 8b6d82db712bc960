/* rules.c - read and check the user's rules for words.
 *
 * The word lists must match words as the tokeniser produces them: "Don't" in a
 * stop list has to drop "don't".  So the lists are read by a tokeniser that
 * uses the unfinished rules, in which only mode and case are set; the words it
 * finds are then added to the rules.  Entries of several words are phrases,
 * which are collected from all lists before the first list is complete: the
 * names of phrases are what the stop list and the thesaurus contain.
 */
#include "token/rules.h"

#include <libstemmer.h>
#include <string.h>

#include "base/dict.h"
#include "base/err.h"
#include "base/list_lines.h"
#include "base/mem.h"
#include "token/char_kinds.h"

static int read_stop(struct rules *r, const struct text_list *list,
                     struct tokeniser *words, struct cooc_err *err)
{
    struct list_line line = { 0 };
    int rc = 0;

    while (rc == 0 && list_next(list, &line)) {
        const char *word;
        size_t len;
        uint32_t id;

        ascii_trim(&line.text, &line.len, ASCII_SPACE);
        if (r->phrases) {
            struct list_entry e;

            rc = rules_read_entry(r, words, line.text, line.len, list->name,
                                  line.number, &e, err);
            if (rc == 0 && e.words && e.len <= TERM_MAX)
                rc = dict_add(r->stop, e.name, e.len, &id, err);
            continue;
        }
        tokeniser_start(words, line.text, line.len);
        while (rc == 0 &&
               (rc = tokeniser_next(words, &word, &len, err)) > 0)
            rc = len > TERM_MAX ? 0 : dict_add(r->stop, word, len, &id, err);
    }
    return rc;
}

static int read_lists(struct rules *r, const struct rules_options *o,
                      struct cooc_err *err)
{
    struct tokeniser *words;
    int rc = tokeniser_new(&words, r, err);

    if (rc == 0 && r->phrases)
        rc = phrase_lists_read(r, words, &o->phrase_list, &o->terms, err);
    if (rc == 0 && o->stop.text)
        rc = dict_new(&r->stop, err);
    if (rc == 0 && o->stop.text)
        rc = read_stop(r, &o->stop, words, err);
    if (rc == 0 && o->thesaurus.text)
        rc = thesaurus_load(&r->thesaurus, &o->thesaurus, r, words, err);
    if (rc == 0 && r->phrases)
        rc = phrases_finish(r->phrases, err);
    if (rc == 0 && r->phrases && !phrases_count(r->phrases)) {
        phrases_free(r->phrases);
        r->phrases = NULL;
    }
    tokeniser_free(words);
    return rc;
}

/* Store the stemmer's name if libstemmer has that stemmer. */
static int set_stem(struct rules *r, const char *name, struct cooc_err *err)
{
    struct sb_stemmer *stemmer = sb_stemmer_new(name, "UTF_8");
    struct buf known = { 0 };
    int rc = 0;

    if (stemmer) {
        sb_stemmer_delete(stemmer);
        r->stem = mem_dup(name, strlen(name));
        return r->stem ? 0 : err_nomem(err);
    }
    for (const char **s = sb_stemmer_list(); rc == 0 && *s; s++)
        rc = !strcmp(*s, name) /* known, so memory ran out */
                 ? err_nomem(err)
                 : buf_printf(&known, err, "%s%s", known.len ? " " : "", *s);
    if (rc == 0)
        rc =
            err_option(err, COOC_EINVAL, "stem",
                       "unknown stemmer '%.40s'; the stemmers are %s", name,
                       known.data ? known.data : "none");
    buf_release(&known);
    return rc;
}

int rules_new(struct rules **out, const struct rules_options *o,
              struct cooc_err *err)
{
    struct rules *r = mem_zarray(1, sizeof *r);
    int rc;

    *out = NULL;
    if (!r)
        return err_nomem(err);
    r->mode = o->mode;
    r->keep_case = o->keep_case;
    if (o->min_length && o->max_length && o->min_length > o->max_length)
        rc = err_option(err, COOC_EINVAL, "min_length",
                        "the minimum length must be at most the maximum "
                        "(%u), not %u",
                        (unsigned)o->max_length, (unsigned)o->min_length);
    else
        rc = char_kinds_init(&r->kinds, r->mode, r->keep_case, err);
    if (rc == 0 && o->stem)
        rc = set_stem(r, o->stem, err);
    if (rc == 0 && o->phrases)
        rc = phrases_new(&r->phrases, r->stem != NULL, err);
    if (rc == 0 && (o->stop.text || o->thesaurus.text || o->phrases))
        rc = read_lists(r, o, err);
    if (rc < 0) {
        rules_free(r);
        return rc;
    }
    r->drop_numbers = o->drop_numbers;
    r->min_length = o->min_length;
    r->max_length = o->max_length;
    r->keep_phrase_words = o->keep_phrase_words;
    *out = r;
    return 0;
}

void rules_free(struct rules *r)
{
    if (!r)
        return;
    mem_free(r->stem);
    phrases_free(r->phrases);
    buf_release(&r->listed);
    dict_free(r->stop);
    thesaurus_release(&r->thesaurus);
    mem_free(r);
}

bool rules_keep_words(const struct rules *r)
{
    return !r->drop_numbers && !r->min_length && !r->max_length &&
           !(r->stop && dict_size(r->stop)) && !r->thesaurus.n && !r->stem;
}

bool rules_are_plain(const struct rules *r)
{
    return rules_keep_words(r) && !r->phrases;
}

bool rules_stem(const struct rules *r)
{
    return r->stem != NULL;
}

const struct phrases *rules_phrases(const struct rules *r)
{
    return r->phrases;
}

bool rules_keep_phrase_words(const struct rules *r)
{
    return r->keep_phrase_words;
}

struct text_list rules_phrase_list(const struct rules *r)
{
    return (struct text_list){ .text = r->listed.data, .len = r->listed.len };
}
