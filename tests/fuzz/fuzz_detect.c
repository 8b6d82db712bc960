/* fuzz_detect.c - detection of the format.
 *
 *     u8 name, u8 first of many and truncated; the first bytes of the file
 */
#include "fuzz.h"

#include "read/format.h"

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
}
