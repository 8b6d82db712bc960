/* fuzz_read.c - a file of documents, in the format FUZZ_FORMAT or in one to be
 * detected.
 *
 *     u8 options, u8 block size, u8 length of the vocabulary and its bytes if
 *     the options include one; the file
 *
 * The documents must be the same however the file is divided into blocks.
 */
#include "fuzz.h"

#include <unistd.h>

#include "base/buf.h"
#include "cooc_build.h"
#include "read/read.h"
#include "read/stream.h"

#define ENOUGH ((size_t)1 << 20) /* bytes of documents */
#define WHOLE ((size_t)1 << 16)  /* larger than any file here */

enum { VOCABULARY = 16, ZERO_BASED = 32, OTHER_FIELDS = 64, RECORDS = 128,
       OTHER_ID = 128 };

static int read_all(const char *path, const struct cooc_index_options *o,
                    struct buf *out, struct reader_stats *stats)
{
    struct cooc_err err = { 0 };
    struct reader *r = NULL;
    struct document d;
    int rc = reader_open(&r, &path, 1, o, NULL, &err);

    if (r)
        reader_set_tmpdir(r, fuzz_dir());
    while (rc >= 0 && out->len < ENOUGH &&
           (rc = reader_next(r, &d, &err)) > 0) {
        MUST(buf_add(out, d.name, d.name_len, NULL) == 0);
        MUST(buf_byte(out, '\0', NULL) == 0);
        MUST(buf_add(out, d.text, d.text_len, NULL) == 0);
        MUST(buf_byte(out, '\0', NULL) == 0);
    }
    if (r) {
        MUST(strlen(reader_format(r)) < 64);
        *stats = reader_stats(r);
    }
    MUST(rc >= 0 || (err.code == rc && err.text[0]));
    reader_close(r);
    return rc;
}

/* The name of a file also determines its format. */
static const char *choose_name(uint8_t choice)
{
#ifdef FUZZ_FORMAT
    (void)choice;
    return "f";
#else
    static const char *const names[] = { "f", "f.txt", "f.tsv", "f.jsonl",
                                         "f.trec", "f.html", "f.warc",
                                         "docword.f.txt", "f.ldac",
                                         "f.svm", "f.csv", "f.dat",
                                         "f.ciw", "f.ris", "f.nbib", "f.bib",
                                         "f.conllu", "f.vert", "f.xml",
                                         "f.ciff" };

    return names[choice % ARRAY_LEN(names)];
#endif
}

/* Options of bibliographic files and annotated text. */
static void choose_records(struct cooc_index_options *o, uint8_t choice)
{
    static const char *const columns[] = { NULL, "2", "surface", "2+1",
                                           "lemma+upos" };
    bool annotated = o->format && (!strcmp(o->format, "conllu") ||
                                   !strcmp(o->format, "vertical"));

    o->vocab_file = NULL;
    o->zero_based = false;
    o->text_fields = o->id_field = o->separators = NULL;
    if (annotated) {
        o->column = columns[choice % ARRAY_LEN(columns)];
        o->pos = choice & 64 ? "2=NN,VERB" : NULL;
        o->keep_case = choice & 32;
    } else {
        o->text_fields = "a=AU,CR, KW,MH,title,author,AB";
        o->split = choice & 1 ? ";" : "none";
        o->id_field = choice & 2 ? "DO" : NULL;
    }
}

/* Memory for a few postings, so that the others go to a temporary file. */
static void choose_memory(struct cooc_index_options *o, uint8_t options)
{
    o->memory = options & ZERO_BASED ? 2000 : 0;
    o->threads = 1;
    o->vocab_file = NULL;
    o->zero_based = false;
}

/* Formats in which the user names the element that is a record. */
static bool names_records(const char *format)
{
    return format && strcmp(format, "xml") == 0;
}

/* Tables, whose text columns have to be named. */
static bool is_csv(const char *format, const char *path)
{
    return format ? strcmp(format, "csv") == 0
                  : strcmp(path + strlen(path) - 4, ".csv") == 0;
}

static void compare(const char *path, const struct cooc_index_options *o,
                    uint8_t block)
{
    struct reader_stats a = { 0 }, b = { 0 };
    struct buf whole = { 0 }, cut = { 0 };
    int rc;

    stream_block_size = WHOLE;
    rc = read_all(path, o, &whole, &a);
    stream_block_size = 8 + block % 64;
    MUST(read_all(path, o, &cut, &b) == rc);
    MUST(whole.len == cut.len);
    MUST(!whole.len || !memcmp(whole.data, cut.data, whole.len));
    MUST(rc < 0 || (a.bytes == b.bytes && a.skipped == b.skipped &&
                    a.invalid_bytes == b.invalid_bytes));
    buf_release(&whole);
    buf_release(&cut);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static const char *const encodings[] = { NULL, NULL, NULL, "auto,utf-8",
                                             "auto,koi8-r",
                                             "latin1", "utf-16le", "utf-16",
                                             "shift_jis", "gb18030",
                                             "utf-7", "iso-2022-jp",
                                             "utf-32be", "windows-1252",
                                             "utf-8", "scsu" };
    struct bytes in = { data, size };
    uint8_t options = take_byte(&in), block = take_byte(&in);
    char *path = fuzz_path(choose_name(block)), *vocab = fuzz_path("v");
    struct cooc_index_options o = COOC_INDEX_OPTIONS;

#ifdef FUZZ_FORMAT
    o.format = FUZZ_FORMAT;
#endif
    o.encoding = encodings[options % 16];
    if (options & VOCABULARY) {
        struct bytes words = take_bytes(&in, take_byte(&in));

        fuzz_put(vocab, words.p, words.n);
        o.vocab_file = vocab;
    }
    o.zero_based = options & ZERO_BASED;
    o.text_fields = is_csv(o.format, path) ? "t,1" : NULL;
    if (options & OTHER_FIELDS) {
        o.text_fields = "text,a.b,t";
        o.id_field = "n.id";
        o.separators = ";|";
        o.split = block & 1 ? ";" : NULL;
        o.delimiter = block & 2 ? ";" : NULL;
        o.no_header = block & 4;
        o.skip_bad = block & 8;
    }
    if (names_records(o.format)) {
        o.record = "r";
        o.text_fields = options & OTHER_FIELDS ? "t,a/b,@n" : NULL;
        o.id_field = options & OTHER_ID ? "@n" : "i";
        o.split = options & VOCABULARY ? "" : NULL;
        o.vocab_file = o.separators = NULL;
    }
    else if (options & RECORDS)
        choose_records(&o, block);
    else if (o.format && !strcmp(o.format, "ciff"))
        choose_memory(&o, options);
    fuzz_put(path, in.p, in.n);
    compare(path, &o, block);
    unlink(path);
    free(path);
    free(vocab);
}
