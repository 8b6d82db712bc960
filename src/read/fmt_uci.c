/* fmt_uci.c - bags of words in the format of the UCI repository.
 *
 *     3                documents         vocab.x.txt:  apple
 *     2                words                           pear
 *     3                entries
 *     1 1 7            document 1 has word 1 seven times
 *     1 2 1
 *     3 2 4            document 2 is empty
 *
 * Numbers start at 1, and lines are sorted by document.  The header gives the
 * numbers of documents, words and entries, so a truncated file is detected.  If
 * the user does not name a vocabulary, the one next to the file is used:
 * vocab.x.txt for docword.x.txt, or x.vocab (gensim).  Without a vocabulary,
 * the numbers are the terms.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/workdir.h"
#include "cooc.h"
#include "read/format.h"
#include "read/input.h"
#include "read/scan.h"

struct entry {
    uint64_t doc, word, count;
};

struct uci_state {
    uint64_t docs, words, entries; /* from the header */
    uint64_t doc;                  /* number of the document returned last */
    uint64_t seen;                 /* number of entries read so far */
    struct entry next;             /* read ahead; doc 0: no entry */
};

/* Find the vocabulary file that belongs to path; out is empty if there is
 * none. */
static int find_vocab(const char *path, struct buf *out, struct cooc_err *err)
{
    static const char *const packed[] = { "",     ".gz",   ".bz2", ".xz",
                                          ".zst", ".lz4" };
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    int dir = (int)(base - path), rc = 0;
    bool docword = strncmp(base, "docword.", 8) == 0;

    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++) {
        int n = (int)strlen(packed[i]), cut = (int)strlen(base) - n;

        if (cut <= 0 || strcmp(base + cut, packed[i]) != 0)
            continue;
        for (int try = docword ? 0 : 2; try < 4; try++) {
            const char *tail = try & 1 ? packed[i] : "";

            out->len = 0;
            rc = try < 2 ? buf_printf(out, err, "%.*svocab.%.*s%s", dir, path,
                                      cut - 8, base + 8, tail)
                         : buf_printf(out, err, "%.*s%.*s.vocab%s", dir, path,
                                      cut, base, tail);
            if (rc < 0 || workdir_access(out->data, F_OK) == 0)
                return rc;
        }
    }
    out->len = 0;
    return 0;
}

static int load_vocab(struct uci_state *s, struct input *in,
                      struct cooc_err *err)
{
    struct buf found = { 0 };
    const char *path = in->options->vocab_file;
    int rc = 0;

    if (!path && strcmp(in->path, "-") != 0) {
        rc = find_vocab(in->path, &found, err);
        path = found.len ? found.data : NULL;
    }
    if (rc == 0)
        rc = vocab_load(in, path, err);
    if (rc == 0 && in->vocab.path && in->vocab.n != s->words)
        rc = err_path_option(err, COOC_EFORMAT, in->name, "vocab_file",
                             "its header says %llu words, but the vocabulary "
                             "%s has %zu", (unsigned long long)s->words,
                             in->vocab.path, in->vocab.n);
    buf_release(&found);
    return rc;
}

static int header_number(struct input *in, uint64_t *v, const char *of_what,
                         struct cooc_err *err)
{
    struct scan s;
    int rc = input_fields(in, &s, err);

    if (rc < 0)
        return rc;
    if (rc == 0 || !scan_u64(&s, v) || (scan_blanks(&s), s.at != s.end))
        return input_wrong(in, err, "the number of %s is missing", of_what);
    return 0;
}

/* After the last line: check that all entries have been read. */
static int at_end(struct uci_state *s, struct input *in, struct cooc_err *err)
{
    s->next = (struct entry){ 0 };
    if (s->seen == s->entries)
        return 0;
    return input_wrong(in, err,
                       "the header says %llu entries, but the file has %llu; "
                       "it may be truncated", (unsigned long long)s->entries,
                       (unsigned long long)s->seen);
}

static int check_entry(struct uci_state *s, const struct entry *e,
                       struct input *in, struct cooc_err *err)
{
    if (e->doc == 0 || e->doc > s->docs)
        return input_wrong(in, err, "document %llu is out of range (1 to %llu)",
                           (unsigned long long)e->doc,
                           (unsigned long long)s->docs);
    if (e->word == 0 || e->word > s->words)
        return input_wrong(in, err, "word %llu is out of range (1 to %llu)",
                           (unsigned long long)e->word,
                           (unsigned long long)s->words);
    if (e->doc < s->next.doc)
        return input_wrong(in, err,
                           "document %llu follows document %llu; sort the "
                           "entries by document", (unsigned long long)e->doc,
                           (unsigned long long)s->next.doc);
    if (s->seen++ == s->entries)
        return input_wrong(in, err,
                           "there are more entries than the %llu in the header",
                           (unsigned long long)s->entries);
    return 0;
}

/* Read the next entry into s->next; its doc is 0 at the end of the file. */
static int read_entry(struct uci_state *s, struct input *in,
                      struct cooc_err *err)
{
    struct entry e;
    struct scan c;
    int rc;

    do
        rc = input_fields(in, &c, err);
    while (rc > 0 && c.at == c.end);
    if (rc <= 0)
        return rc < 0 ? rc : at_end(s, in, err);
    if (!scan_u64(&c, &e.doc) || !scan_field_end(&c) ||
        (scan_blanks(&c), !scan_u64(&c, &e.word)) || !scan_field_end(&c) ||
        (scan_blanks(&c), !scan_u64(&c, &e.count)) ||
        (scan_blanks(&c), c.at != c.end))
        return input_wrong(in, err,
                           "expected three numbers: document, word, count");
    rc = check_entry(s, &e, in, err);
    if (rc == 0)
        s->next = e;
    return rc;
}

static int begin_uci(struct input *in, struct cooc_err *err)
{
    struct uci_state *s = in->state;
    int rc;

    s->doc = s->seen = 0;
    s->next = (struct entry){ 0 };
    rc = header_number(in, &s->docs, "documents", err);
    if (rc == 0)
        rc = header_number(in, &s->words, "words", err);
    if (rc == 0)
        rc = header_number(in, &s->entries, "entries", err);
    if (rc == 0 && s->docs > UINT32_MAX)
        rc = err_path(err, COOC_ELIMIT, in->name,
                      "more than %u documents are not supported", UINT32_MAX);
    if (rc == 0)
        rc = load_vocab(s, in, err);
    return rc < 0 ? rc : read_entry(s, in, err);
}

static int next_uci(struct input *in, struct cooc_err *err)
{
    struct uci_state *s = in->state;
    int rc;

    if (s->doc == s->docs)
        return 0;
    s->doc++;
    while (s->next.doc == s->doc) {
        rc = 0;
        if (s->next.count)
            rc = vocab_add_term(in, s->next.word - 1, s->next.word, err);
        if (rc == 0)
            rc = read_entry(s, in, err);
        if (rc < 0)
            return rc;
    }
    rc = buf_printf(&in->label, err, "%llu", (unsigned long long)s->doc);
    input_label(in);
    return rc < 0 ? rc : 1;
}

const struct format format_uci = {
    .name = "uci",
    .kind = KIND_TERMS,
    .uses = USE_VOCAB | USE_FOLD,
    .state_size = sizeof(struct uci_state),
    .begin = begin_uci,
    .next = next_uci,
};
