/* exp_glove.c - the input files of GloVe's own programs.
 *
 *     cooccurrence.bin   (int32 word1, int32 word2, double value), little-
 *                        endian; words are numbered from 1; sorted; both
 *                        (i, j) and (j, i)
 *     vocab.txt          one word per line, followed by a blank and its df
 *
 * GloVe reads words up to white space, at most a thousand bytes, so white space
 * in a term becomes '_'; two terms must not become the same word.
 */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/ascii_case.h"
#include "base/bytes.h"
#include "base/dict.h"
#include "base/err.h"
#include "export/export.h"

#define WORD_BYTES 1000u
#define RECORD_BYTES 16u

struct glove {
    struct dict *changed; /* words that differ from their terms */
};

/* Convert a term to a word for GloVe.  Returns true if they differ. */
static bool to_word(char *to, const char *name, size_t len)
{
    bool changed = false;

    for (size_t i = 0; i < len; i++) {
        bool blank = memchr(ASCII_SPACE, name[i], sizeof ASCII_SPACE);

        to[i] = blank ? '_' : name[i];
        changed |= blank;
    }
    return changed;
}

/* Check that a changed word is neither a term nor another changed word. */
static int check_new(struct export_job *j, const char *word, size_t len,
                     struct cooc_err *err)
{
    struct glove *g = j->state;
    uint32_t at, id;
    int found, rc = g->changed ? 0 : dict_new(&g->changed, err);

    if (rc == 0)
        rc = db_shown_as(j->sel.db, j->o->stems, word, len, &id, &found, err);
    if (rc < 0)
        return rc;
    found = found && (!j->sel.new_id || j->sel.new_id[id] != NOT_SELECTED);
    at = dict_size(g->changed);
    rc = dict_add(g->changed, word, len, &id, err);
    if (rc == 0 && (found || id < at))
        rc = err_option(err, COOC_EINVAL, "terms",
                        "two terms would both be written '%.*s', because "
                        "words have no blanks in GloVe's files; select terms "
                        "without one of them", (int)len, word);
    return rc;
}

static int write_word(struct export_job *j, uint32_t id, struct cooc_err *err)
{
    char word[WORD_BYTES];
    const char *name;
    size_t len;
    int rc = selection_term(&j->sel, id, &name, &len, err);

    if (rc < 0)
        return rc;
    if (len == 0 || len > WORD_BYTES)
        return err_option(err, COOC_ELIMIT, "terms",
                          "GloVe reads words of 1 to %u bytes, and one has "
                          "%zu; select terms without it", WORD_BYTES, len);
    if (to_word(word, name, len))
        rc = check_new(j, word, len, err);
    if (rc == 0)
        rc = sink_add(&j->side, word, len, err);
    if (rc == 0)
        rc = sink_printf(&j->side, err, " %" PRIu64 "\n",
                         selection_df(&j->sel, id));
    return rc;
}

static int begin(struct export_job *j, struct cooc_err *err)
{
    int rc = 0;

    if (j->sel.n > INT32_MAX)
        return err_option(err, COOC_ELIMIT, "top_terms",
                          "GloVe reads at most %d words, not %u; select fewer "
                          "terms", INT32_MAX, j->sel.n);
    for (uint32_t id = 0; id < j->sel.n && rc == 0; id++)
        rc = write_word(j, id, err);
    return rc;
}

static char *put_records(char *p, const struct export_row *row, size_t i,
                         size_t end)
{
    for (; i < end; i++, p += RECORD_BYTES) {
        double value = row->scores ? row->scores[i]
                                   : (double)row->entries[i].count;
        uint64_t bits;

        memcpy(&bits, &value, sizeof bits);
        put_le32(p, row->id + 1);
        put_le32(p + 4, row->entries[i].term + 1);
        put_le64(p + 8, bits);
    }
    return p;
}

static int format_row(void *self, const struct export_row *row,
                      struct output *to, struct cooc_err *err)
{
    (void)self;
    for (size_t i = 0; i < row->n;) {
        size_t fit = output_left(to, 0) / RECORD_BYTES;
        size_t end = fit < row->n - i ? i + fit : row->n;
        int rc;

        to->p[0] = put_records(to->p[0], row, i, end);
        i = end;
        rc = i < row->n ? output_pass(to, err) : 0;
        if (rc < 0)
            return rc;
    }
    return 0;
}

static void release(struct export_job *j)
{
    struct glove *g = j->state;

    dict_free(g->changed);
}

const struct exporter export_glove = {
    .name = "glove", .summary = "cooccurrence.bin and vocab.txt of GloVe",
    .flags = EXPORT_BOTH | EXPORT_EITHER | EXPORT_FROM_ROW,
    .state_size = sizeof(struct glove),
    .file = "cooccurrence.bin", .side = "vocab.txt",
    .ending = ".bin", .side_ending = ".vocab.txt",
    .begin = begin, .format = format_row, .streams = 1, .release = release,
};
