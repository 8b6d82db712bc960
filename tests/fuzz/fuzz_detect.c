/* fuzz_detect.c - detection of the format and the encoding.
 *
 *     u8 name, u8 first of many and truncated; the first bytes of the file
 */
#include "fuzz.h"

#include <string.h>

#include "base/buf.h"
#include "read/binary.h"
#include "read/encoding.h"
#include "read/format.h"
#include "read/recode.h"

/* Guesses are the same each time, and can be converted. */
static void find_encoding(const char *data, size_t len)
{
    struct encoding_choice choice;
    struct encoding e, again;
    struct buf out = { 0 };
    uint64_t invalid = 0;

    MUST(encoding_choose(&choice, NULL, NULL) == 0);
    MUST(encoding_find(&e, &choice, data, len, NULL) == 0);
    MUST(encoding_find(&again, &choice, data, len, NULL) == 0);
    MUST(!strcmp(e.name, again.name) && e.source == again.source);
    MUST(e.mark <= len && e.source != ENCODING_NAMED);
    MUST(recode(e.name, data, len, true, &out, &invalid, NULL) == 0);
    if (e.source == ENCODING_GUESSED && !strncmp(e.name, "UTF-16", 6))
        MUST(invalid == 0 && !memchr(out.data, 0, out.len));
    buf_release(&out);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "-", "f", "f.txt", "a.tar/b.HTML",
                                         ".gz", "f.tsv.gz", "x.warc.gz",
                                         "docword.x", "f.svm", "f.ldac",
                                         "f.jsonl", "f.dat", "f.ciff", "" };
    struct bytes in = { data, size };
    uint8_t name = take_byte(&in), how = take_byte(&in);
    struct sample s = { .name = names[name % ARRAY_LEN(names)],
                        .many = how & 1, .cut = how & 2,
                        .data = (const char *)in.p, .len = in.n };
    const struct format *f = detect_format(&s);

    MUST(f && f == detect_format(&s));
    f = detect_page(&s);
    MUST(f == &format_html || f == &format_files);
    binary_detect(s.name, s.data, s.len);
    find_encoding(s.data, s.len);
}
