/* term_list.c - lists of terms: the words of a file, the terms that match a
 * pattern. */
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/list_lines.h"
#include "base/mem.h"
#include "base/sized.h"
#include "base/unlisted.h"
#include "base/workdir.h"
#include "cooc_bulk.h"
#include "query/db.h"

#define LIST_MAX ((size_t)1 << 30)

static void note_unknown(struct cooc_list *out, const char *word, size_t len)
{
    if (out->unknown++)
        return;
    if (len >= sizeof out->first_unknown) {
        len = sizeof out->first_unknown - 1;
        while (len && ((uint8_t)word[len] & 0xc0) == 0x80)
            len--; /* do not cut inside a character */
    }
    memcpy(out->first_unknown, word, len);
    out->first_unknown[len] = '\0';
}

static int add_words(struct cooc *db, const struct text_list *text,
                     uint64_t *seen, struct cooc_list *out,
                     struct cooc_err *err)
{
    struct list_line line = { 0 };
    struct unlisted unlisted = { 0 };
    size_t cap = 0;
    int rc = 0;

    while (rc == 0 && list_next(text, &line)) {
        const char *word = line.text;
        size_t len = line.len;
        struct cooc_err why = { 0 };
        uint32_t id;
        bool found;

        ascii_trim(&word, &len, ASCII_SPACE);
        rc = cooc_term_lookup(db, word, len, &id, &found, &why);
        if (rc < 0 && unlisted_is(&why)) {
            unlisted_add(&unlisted, word, len);
            rc = 0;
            continue;
        }
        if (rc < 0)
            return err_copy(err, &why);
        if (!found) {
            note_unknown(out, word, len);
            continue;
        }
        if (seen[id >> 6] >> (id & 63) & 1)
            continue;
        seen[id >> 6] |= (uint64_t)1 << (id & 63);
        rc = array_grow(&out->terms, &cap, out->n + 1, sizeof *out->terms, err);
        if (rc == 0)
            out->terms[out->n++] = id;
    }
    return rc < 0 || !unlisted.n ? rc
                                 : unlisted_error(&unlisted, text->name, err);
}

int cooc_list_like(struct cooc *db, const char *pattern,
                   struct cooc_list *out, struct cooc_err *err)
{
    struct cooc_term_filter filter = COOC_TERM_FILTER;
    struct cooc_list own = { 0 };
    int rc = sized_check(out, "list", err);

    if (rc < 0)
        return rc;
    filter.like = pattern ? pattern : "";
    rc = cooc_terms(db, &filter, &own.terms, &own.n, err);
    if (rc == 0 && !own.n)
        rc = err_set(err, COOC_ENOTFOUND, "no term matches '%.100s'",
                     filter.like);
    if (rc < 0) {
        mem_free(own.terms);
        own = (struct cooc_list){ 0 };
    }
    sized_write(out, &own, sizeof own);
    return rc;
}

int cooc_list_read(struct cooc *db, const char *path, struct cooc_list *out,
                   struct cooc_err *err)
{
    struct cooc_list own = { 0 };
    struct buf text = { 0 };
    struct text_list list;
    uint64_t *seen = NULL;
    struct workdir workdir;
    int rc = workdir_begin(&workdir, err);

    if (rc == 0)
        rc = sized_check(out, "list", err);
    if (rc == 0)
        rc = file_read_all(path, LIST_MAX, &text, err);
    workdir_end(&workdir);
    if (rc == 0) {
        seen = mem_zarray((size_t)db->store.docs.n_terms / 64 + 1, 8);
        rc = seen ? 0 : err_nomem(err);
    }
    list = (struct text_list){ .name = path, .text = text.data,
                               .len = text.len };
    if (rc == 0)
        rc = add_words(db, &list, seen, &own, err);
    if (rc < 0) {
        mem_free(own.terms);
        own = (struct cooc_list){ 0 };
    }
    mem_free(seen);
    buf_release(&text);
    sized_write(out, &own, sizeof own);
    return rc;
}
