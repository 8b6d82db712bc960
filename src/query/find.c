/* find.c - a word as the user writes it -> the id of its term.
 *
 * Every printed term can be typed: the word, case-folded as a whole, is first
 * looked up among the names of terms.  If there is no such name, the word is
 * processed with the tokeniser and the rules of the documents, so that "Runs"
 * finds the term printed as "running" in a stemmed store.  In a store of items,
 * a word is an item as a whole, whatever characters it has.  For an unknown
 * word, terms within a small edit distance are suggested, nearest first; at
 * equal distance, the more frequent term comes first.
 *
 * Several words are a term if they are a phrase of the store, in whatever
 * spelling.  Other words that the store has never combined are an error, not a
 * term that no document contains.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/library_alloc.h"
#include "base/list_lines.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/unlisted.h"
#include "cooc_bulk.h"
#include "index/labels.h"
#include "query/db.h"
#include "query/odd_words.h"

#define SUGGESTIONS 3

/* ---- close spellings ----------------------------------------------------- */

/* Find the nearest terms, nearest first; at equal distance, lower ids (more
 * frequent terms) come first. */
static size_t nearest_terms(const struct cooc *db, const char *word, size_t len,
                      uint32_t *best)
{
    int32_t a[SUGGEST_LEN], b[SUGGEST_LEN];
    unsigned dist[SUGGESTIONS];
    size_t found = 0, n = suggest_code_points(word, len, a);
    unsigned limit = n <= 2 ? 1 : 2;

    for (uint32_t id = 0; n && id < db->store.docs.n_terms; id++) {
        const char *s;
        size_t m, at;
        unsigned d;

        if (collection_label(&db->store.docs, id, &s, &m, NULL) < 0)
            return found;
        m = suggest_code_points(s, m, b);
        d = m ? edit_distance(a, n, b, m, limit) : limit + 1;
        if (d > limit)
            continue;
        for (at = found; at > 0 && dist[at - 1] > d; at--)
            if (at < SUGGESTIONS) {
                dist[at] = dist[at - 1];
                best[at] = best[at - 1];
            }
        if (at < SUGGESTIONS) {
            dist[at] = d;
            best[at] = id;
            found += found < SUGGESTIONS;
        }
    }
    return found;
}

static int not_found(const struct cooc *db, const char *word, size_t len,
                     struct cooc_err *err)
{
    uint32_t best[SUGGESTIONS];
    struct buf text = { 0 };
    size_t n = nearest_terms(db, word, len, best);
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        const char *s;
        size_t m;

        rc = db_name(db, false, best[i], &s, &m, NULL);
        if (rc == 0)
            rc = buf_printf(&text, NULL, "%s%.*s",
                            i ? ", " : "; similar terms: ", (int)m, s);
    }
    rc = err_set(err, COOC_ENOTFOUND, "no document contains '%.*s'%.*s",
                 odd_words_quoted(len), word, (int)text.len,
                 text.data ? text.data : "");
    buf_release(&text);
    return rc;
}

/* ---- the rules of the store ---------------------------------------------- */

static int load_list(const struct cooc *db, enum collection_file f,
                     struct text_list *out, struct cooc_err *err)
{
    struct checked_file *b = db->store.docs.files[f];
    const void *p;
    int rc = checked_file_get(b, 0, checked_file_size(b), &p, err);

    if (rc == 0 && checked_file_size(b))
        *out = (struct text_list){ .name = checked_file_path(b), .text = p,
                                   .len = (size_t)checked_file_size(b) };
    return rc;
}

/* Create the rules if necessary.  The caller holds the lock. */
static int ready_rules(struct cooc *db, struct cooc_err *err)
{
    struct rules_options o = db->store.manifest.rules;
    int rc = 0;

    if (db->tok)
        return 0;
    if (!db->rules) {
        o.stem = *db->store.manifest.stem ? db->store.manifest.stem : NULL;
        rc = load_list(db, FILE_STOP, &o.stop, err);
        if (rc == 0)
            rc = load_list(db, FILE_THESAURUS, &o.thesaurus, err);
        if (rc == 0 && o.phrases)
            rc = load_list(db, FILE_PHRASES, &o.phrase_list, err);
        if (rc == 0)
            rc = rules_new(&db->rules, &o, err);
    }
    return rc < 0 ? rc : tokeniser_new(&db->tok, db->rules, err);
}

static int err_dropped(const char *word, size_t len, enum token_verdict v,
                       struct cooc_err *err)
{
    static const char *const why[] = {
        [TOKEN_STOP] = "it is on the stop list",
        [TOKEN_SHORT] = "it is too short",
        [TOKEN_LONG] = "it is too long",
        [TOKEN_NUMBER] = "numbers were dropped",
        [TOKEN_UNWANTED] = "the thesaurus has no preferred form for it",
    };

    return err_set(err, COOC_ENOTFOUND,
                   "'%.*s' was dropped when the store was made: %s",
                   odd_words_quoted(len), word, why[v]);
}

static bool has_items(const struct cooc *db)
{
    return db->store.manifest.rules.mode == TOKENS_ITEMS;
}

/* Append the tokens of text, joined by blanks; *words is their number.  An item
 * is one token, even if it contains line ends. */
static int join_tokens(struct tokeniser *tok, bool item, const char *text,
                       size_t len, struct buf *out, size_t *words,
                       struct cooc_err *err)
{
    const char *word;
    size_t n;
    int rc;

    *words = 0;
    if (item) {
        rc = tokeniser_fold(tok, text, len, out, err);
        *words = rc == 0 && out->len;
        return rc;
    }
    tokeniser_start(tok, text, len);
    while ((rc = tokeniser_next(tok, &word, &n, err)) > 0) {
        rc = (*words)++ ? buf_byte(out, ' ', err) : 0;
        if (rc == 0)
            rc = buf_add(out, word, n, err);
        if (rc < 0)
            break;
    }
    return rc;
}

/* Apply the rules to a word or a phrase, which counts as one word, and append
 * the term to *out.  Several words (*words > 1) that are not a phrase are not
 * changed, because a term of the thesaurus may have several words in stores
 * without phrases.  The caller holds the lock. */
static int to_term(struct cooc *db, const char *word, size_t len,
                   struct buf *out, size_t *words, struct cooc_err *err)
{
    const char *term, *phrase = NULL;
    size_t n;
    enum token_verdict v = TOKEN_KEPT;
    struct buf first;
    int rc = join_tokens(db->tok, has_items(db), word, len, out, words, err);

    if (rc == 0 && *words > 1)
        rc = tokeniser_phrase(db->tok, word, len, words, &phrase, &n, err);
    if (rc == 0 && phrase) {
        rc = buf_set(out, phrase, n, err);
        *words = 1;
    }
    if (rc < 0 || *words > 1)
        return rc;
    if (*words == 0)
        return err_set(err, COOC_EINVAL, "'%.*s' does not contain a %s",
                       odd_words_quoted(len), word,
                       has_items(db) ? "term" : "word");
    first = *out;
    *out = (struct buf){ 0 };
    rc = tokeniser_term(db->tok, first.data, first.len, &v, &term, &n, err);
    if (rc == 0 && v > TOKEN_MERGED)
        rc = err_dropped(word, len, v, err);
    if (rc == 0)
        rc = buf_add(out, term, n, err);
    buf_release(&first);
    return rc;
}

/* Append text, case-folded, if it consists of printable ASCII characters, and
 * of blanks if blanks is true, or is an item of ASCII characters; if not,
 * append nothing and set *done to false.  Loading the rules and dictionaries of
 * ICU takes longer than most queries, and few words need them. */
static int fold_ascii(const struct cooc *db, const char *text, size_t len,
                      bool blanks, struct buf *out, bool *done,
                      struct cooc_err *err)
{
    bool keep_case = db->store.manifest.rules.keep_case;
    int rc = 0;

    *done = false;
    if (has_items(db)) {
        size_t n = 0;

        rc = buf_reserve(out, len + 1, err);
        if (rc < 0)
            return rc;
        *done = token_ascii_item(text, len, keep_case, out->data + out->len,
                                 &n);
        out->len += *done ? n : 0;
        return 0;
    }
    for (size_t i = 0; i < len; i++)
        if (text[i] < ' ' || text[i] > '~' || (text[i] == ' ' && !blanks))
            return 0;
    for (size_t i = 0; i < len && rc == 0; i++)
        rc = buf_byte(out, (char)(keep_case ? text[i]
                                               : ascii_lower(text[i])), err);
    *done = true;
    return rc;
}

/* Look up word among the printed names of terms.  The caller holds the lock. */
static int find_name(struct cooc *db, const char *word, size_t len,
                     struct buf *name, uint32_t *id, int *found,
                     struct cooc_err *err)
{
    bool exact = db->store.manifest.rules.mode == TOKENS_LINES, done = exact;
    int rc = 0;

    if (!exact)
        ascii_trim(&word, &len, ASCII_SPACE);
    if (!len || (len > TERM_MAX && !has_items(db)))
        return 0;
    if (exact)
        rc = buf_add(name, word, len, err);
    else
        rc = fold_ascii(db, word, len, true, name, &done, err);
    if (rc == 0 && !done)
        rc = ready_rules(db, err);
    if (rc == 0 && !done)
        rc = tokeniser_fold(db->tok, word, len, name, err);
    if (rc < 0 || !name->len || name->len > TERM_MAX)
        return rc;
    return collection_find(&db->store.docs, name->data, name->len, id, found,
                           err);
}

/* Look up a name that was copied from a table, where \\, \t, \n, \r and \0
 * stand for characters that would end a cell.  Words of running text do not
 * contain such characters. */
static int find_escaped(struct cooc *db, const struct buf *name, uint32_t *id,
                        int *found, struct cooc_err *err)
{
    static const char from[] = "\\tnr0", to[] = "\\\t\n\r";
    struct buf plain = { 0 };
    int rc = 0;

    if (db->store.manifest.rules.mode == TOKENS_WORDS || !name->len ||
        !memchr(name->data, '\\', name->len))
        return 0;
    for (size_t i = 0; i < name->len && rc == 0; i++) {
        const char *at = NULL;

        if (name->data[i] == '\\' && i + 1 < name->len && name->data[i + 1])
            at = strchr(from, name->data[i + 1]);
        rc = buf_byte(&plain, at ? to[at - from] : name->data[i], err);
        i += at != NULL;
    }
    if (rc == 0)
        rc = collection_find(&db->store.docs, plain.data, plain.len, id, found,
                             err);
    buf_release(&plain);
    return rc;
}

/* Find the term that the rules of the store make of word. */
static int find_by_rules(struct cooc *db, const char *word, size_t len,
                         uint32_t *id, int *found, struct cooc_err *err)
{
    bool pattern = odd_words_pattern(word, len), odd;
    struct buf term = { 0 };
    const char *at;
    size_t words = 0;
    int rc = ready_rules(db, err);

    if (rc == 0)
        rc = to_term(db, word, len, &term, &words, err);
    odd = db->store.manifest.rules.mode == TOKENS_WORDS &&
          (pattern || odd_words_dropped(word, len, &at));
    if (rc == 0)
        rc = db_find_stem(db, term.data ? term.data : "", term.len, id, found,
                          err);
    if (pattern && (odd || (rc == 0 && !*found)))
        rc = odd_words_refuse_pattern(word, len, err);
    else if (rc == 0 && *found && odd)
        rc = odd_words_refuse_dropped(word, len, term.data, term.len, err);
    buf_release(&term);
    if (rc == 0 && !*found && words > 1)
        rc = odd_words_refuse_several(db, word, len, err);
    return rc;
}

/* Find the term for a word; its folded text is stored in *name for messages. */
static int find(struct cooc *db, const char *word, size_t len,
                struct buf *name, uint32_t *id, int *found,
                struct cooc_err *err)
{
    int rc;

    *found = 0;
    if (!len)
        word = ""; /* may be NULL */
    library_alloc_begin();
    pthread_mutex_lock(&db->lock);
    rc = find_name(db, word, len, name, id, found, err);
    if (rc == 0 && !*found) /* a stem, from --show-stems */
        rc = db_find_stem(db, name->data ? name->data : "", name->len, id,
                          found, err);
    if (rc == 0 && !*found)
        rc = find_escaped(db, name, id, found, err);
    if (rc == 0 && !*found)
        rc = find_by_rules(db, word, len, id, found, err);
    pthread_mutex_unlock(&db->lock);
    return library_alloc_end(rc, err);
}

int cooc_term_find(struct cooc *db, const char *word, size_t len, uint32_t *id,
              struct cooc_err *err)
{
    struct buf name = { 0 };
    int found, rc = find(db, word, len, &name, id, &found, err);

    if (rc == 0 && !found)
        rc = not_found(db, name.data ? name.data : "", name.len, err);
    buf_release(&name);
    return rc;
}

int cooc_terms_find(struct cooc *db, const char *const *words,
                    const size_t *lens, size_t n, uint32_t *terms,
                    struct cooc_err *err)
{
    struct unlisted u = { 0 };
    struct cooc_err why = { 0 };
    int rc = 0;

    for (size_t i = 0; i < n && (rc == 0 || unlisted_is(&why)); i++) {
        if (rc < 0)
            err_clear(&why);
        rc = cooc_term_find(db, words[i], lens[i], &terms[i], &why);
        if (rc < 0 && unlisted_is(&why))
            unlisted_add(&u, words[i], lens[i]);
    }
    if (rc < 0 && !unlisted_is(&why))
        return err_copy(err, &why);
    return u.n ? unlisted_error(&u, NULL, err) : 0;
}

int cooc_term_lookup(struct cooc *db, const char *word, size_t len,
                     uint32_t *id, bool *found, struct cooc_err *err)
{
    struct buf name = { 0 };
    struct cooc_err why = { 0 };
    int there = 0, rc = find(db, word, len, &name, id, &there, &why);

    buf_release(&name);
    *found = rc == 0 && there;
    if (rc == 0 || rc == COOC_ENOTFOUND ||
        (rc == COOC_EINVAL && !unlisted_is(&why)))
        return 0;
    return err_copy(err, &why);
}

/* Create rules that only fold case and split at blanks, or, for items, join at
 * blanks.  The caller holds the lock. */
static int ready_folding(struct cooc *db, struct cooc_err *err)
{
    const struct rules_options whole = {
        .mode = has_items(db) ? TOKENS_ITEMS : TOKENS_WHITESPACE,
        .keep_case = db->store.manifest.rules.keep_case,
    };
    int rc = 0;

    if (!db->fold_rules)
        rc = rules_new(&db->fold_rules, &whole, err);
    if (rc == 0 && !db->fold_tok)
        rc = tokeniser_new(&db->fold_tok, db->fold_rules, err);
    return rc;
}

int db_fold(struct cooc *db, const char *text, size_t len, struct buf *out,
            struct cooc_err *err)
{
    size_t words;
    bool done;
    int rc;

    if (db->store.manifest.rules.mode == TOKENS_LINES)
        return buf_add(out, text, len, err);
    rc = fold_ascii(db, text, len, false, out, &done, err);
    if (rc < 0 || done)
        return rc;
    pthread_mutex_lock(&db->lock);
    rc = ready_folding(db, err);
    if (rc == 0)
        rc = join_tokens(db->fold_tok, has_items(db), text, len, out, &words,
                         err);
    pthread_mutex_unlock(&db->lock);
    return rc;
}
