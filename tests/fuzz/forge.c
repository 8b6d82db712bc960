/* forge.c - forged stores with valid checksums. */
#include "forge.h"

#include <xxhash.h>

#include "base/bytes.h"
#include "cooc_build.h"
#include "store/seal.h"

#define ARRAY_MAX 4096u /* items of an array that is adjusted */

struct forge {
    char *dir, *paths[FORGE_FILES + 1];
    struct manifest m;
    struct shard_info shard;
    struct bytes truth[FORGE_PARTS];
    bool dirty[FORGE_FILES + 1]; /* differs from the original store */
    struct buf out;
};

/* ---- the original store ---------------------------------------------- */

static const char *const kinds[FORGE_FILES + 1] = {
    "terms", "offsets", "sorted", "docs", "offsets", "forward", "offsets",
    "inverted", "offsets", "list", "list", "forms", "offsets", "formterm",
    "formnum", "labels", "rows",
};

/* The payload of a file with one block. */
static struct bytes load(const char *path)
{
    size_t len;
    uint8_t *data = fuzz_get(path, &len);
    size_t payload = (size_t)get_le64(data + len - CHECKED_FILE_FOOTER + 24);

    MUST(payload <= CHECKED_FILE_BLOCK);
    return (struct bytes){ data, payload };
}

/* Convert the payload of the row file to the form of PART_ROWS. */
static void take_rows_apart(struct forge *f, struct bytes file)
{
    size_t at = (size_t)f->shard.row_bytes, n = f->shard.last;
    uint8_t *rows = malloc(file.n + n + 1), *to = rows;
    const uint8_t *off = file.p + at;

    MUST(rows);
    for (size_t i = 0; i < n; i++) {
        uint64_t start = get_le64(off + i * 8);
        size_t len = (size_t)(get_le64(off + i * 8 + 8) - start);

        MUST(len < 256);
        *to++ = (uint8_t)len;
        memcpy(to, file.p + start, len);
        to += len;
    }
    f->truth[PART_ROWS] = (struct bytes){ rows, (size_t)(to - rows) };
}

struct forge *forge_new(const char *path, const char *lines)
{
    struct cooc_index_options o = { .size = sizeof o, .stem = "english" };
    struct forge *f = calloc(1, sizeof *f);
    struct bytes rows;

    MUST(f);
    f->dir = strdup(path);
    MUST(buf_reserve(&f->out, CHECKED_FILE_BLOCK, NULL) == 0);
    fuzz_make_store(path, lines, &o);
    MUST(manifest_read(&f->m, path, NULL) == 0);
    MUST(f->m.n_shards == 1);
    f->shard = f->m.shards[0];
    for (int i = 0; i <= FORGE_FILES; i++)
        MUST(asprintf(&f->paths[i], "%s/%s", path,
                      i < FORGE_FILES
                          ? collection_file_name((enum collection_file)i)
                          : "rows-0000.bin") > 0);
    for (int i = 0; i < FORGE_FILES; i++)
        f->truth[i] = load(f->paths[i]);
    rows = load(f->paths[PART_ROWS]);
    take_rows_apart(f, rows);
    free((uint8_t *)(uintptr_t)rows.p);
    return f;
}

/* ---- forged stores --------------------------------------------------- */

/* Write f->out as a checked file. */
static void put_checked_file(struct forge *f, int file,
                             struct checked_file_id *id)
{
    size_t payload = f->out.len;
    uint8_t end[8 + CHECKED_FILE_FOOTER] = { 0 }, *footer = end + 8;
    size_t table = payload ? 8 : 0;

    put_le64(end, XXH3_64bits(f->out.data ? f->out.data : "", payload));
    memcpy(footer, "coocblob", 8);
    memcpy(footer + 8, kinds[file], strlen(kinds[file]));
    put_le32(footer + 16, 1);
    put_le32(footer + 20, CHECKED_FILE_BLOCK);
    put_le64(footer + 24, payload);
    put_le64(footer + 32, XXH3_64bits(end, table));
    put_le64(footer + 40, XXH3_64bits(footer, 40));
    MUST(buf_add(&f->out, end + 8 - table, table + CHECKED_FILE_FOOTER, NULL) ==
         0);
    fuzz_put(f->paths[file], f->out.data, f->out.len);
    *id = (struct checked_file_id){ f->out.len,
                                    XXH3_64bits(footer, CHECKED_FILE_FOOTER) };
}

static void set_numbers(struct manifest *m, struct shard_info *s,
                        struct bytes in)
{
    while (in.n >= 9) {
        uint8_t which = take_byte(&in);
        uint64_t v = take_u64(&in, 8);
        uint64_t *const wide[] = { &m->postings, &m->tokens, &m->increments,
                                   &m->pairs, &m->omitted.pairs, &s->pairs,
                                   &s->row_bytes };
        uint32_t *const narrow[] = { &m->documents, &m->terms,
                                     &m->omitted.df, &m->omitted.rows,
                                     &s->first, &s->last };

        if (which % 13 < ARRAY_LEN(wide))
            *wide[which % 13] = v;
        else
            *narrow[which % 13 - ARRAY_LEN(wide)] = (uint32_t)v;
    }
}

/* The required length of an array; SIZE_MAX: any. */
static size_t array_bytes(const struct manifest *m, int file)
{
    uint64_t n = SIZE_MAX / 8;
    unsigned size = 8;

    if (file == FILE_TERMS_OFF || file == FILE_INVERTED_OFF)
        n = (uint64_t)m->terms + 1;
    else if (file == FILE_DOCS_OFF || file == FILE_FORWARD_OFF)
        n = (uint64_t)m->documents + 1;
    else
        size = 4;
    if (file == FILE_TERMS_SORT || file == FILE_LABELS)
        n = m->terms;
    else if (file == FILE_FORWARD || file == FILE_INVERTED)
        n = m->postings;
    return n > ARRAY_MAX ? SIZE_MAX : (size_t)n * size;
}

static void put_file(struct forge *f, struct manifest *m, int file,
                     const struct bytes *part, bool resize)
{
    size_t want = resize ? array_bytes(m, file) : SIZE_MAX;
    size_t have = part->n < want ? part->n : want;
    bool same = part->p == f->truth[file].p &&
                (want == SIZE_MAX || want == part->n);

    if (same && !f->dirty[file])
        return;
    f->dirty[file] = !same;
    f->out.len = 0;
    MUST(buf_add(&f->out, part->p, have, NULL) == 0);
    while (want != SIZE_MAX && f->out.len < want)
        MUST(buf_byte(&f->out, '\0', NULL) == 0);
    put_checked_file(f, file, &m->files[file]);
    if (same)
        f->m.files[file] = m->files[file];
}

/* Write rows, their offsets and the seal. */
static void put_rows(struct forge *f, const struct manifest *m,
                     struct shard_info *s, const struct bytes *parts,
                     bool sized)
{
    struct bytes in = parts[PART_ROWS];
    uint8_t off[8 * 65], seal[SEAL_BYTES];
    uint32_t n = s->last - s->first > 64 ? 64 : s->last - s->first;
    struct row_source from = { seal_collection(m->files), m->omitted.df };

    f->out.len = 0;
    for (uint32_t i = 0; i <= n; i++) {
        struct bytes row = take_bytes(&in, take_byte(&in));

        put_le64(off + 8 * (size_t)i, f->out.len);
        if (i < n)
            MUST(buf_add(&f->out, row.p, row.n, NULL) == 0);
    }
    while (f->out.len % 8)
        MUST(buf_byte(&f->out, '\0', NULL) == 0);
    if (!sized)
        s->row_bytes = f->out.len;
    in = parts[PART_ROW_OFFSETS];
    memcpy(off, in.p ? in.p : off, in.n < 8 * ((size_t)n + 1)
                                       ? in.n : 8 * ((size_t)n + 1));
    MUST(buf_add(&f->out, off, 8 * ((size_t)n + 1), NULL) == 0);
    seal_make(seal, s, &from);
    in = parts[PART_SEAL];
    memcpy(seal, in.p ? in.p : seal, in.n < SEAL_BYTES ? in.n : SEAL_BYTES);
    MUST(buf_add(&f->out, seal, SEAL_BYTES, NULL) == 0);
    put_checked_file(f, PART_ROWS, &s->id);
}

void forge_write(struct forge *f, struct bytes in, const uint8_t *allowed,
                 size_t n, bool uncounted)
{
    struct bytes parts[FORGE_PARTS];
    struct manifest m = f->m;
    struct shard_info shard = f->shard;
    bool resize;

    memcpy(parts, f->truth, sizeof parts);
    while (in.n >= 3) {
        uint8_t what = take_byte(&in);
        size_t len = (size_t)take_u64(&in, 2);

        what = n ? allowed[what % n] : what % FORGE_PARTS;
        parts[what] = take_bytes(&in, len);
    }
    resize = !parts[PART_LENGTHS].n || !(parts[PART_LENGTHS].p[0] & 1);
    set_numbers(&m, &shard, parts[PART_NUMBERS]);
    for (int i = 0; i < FORGE_FILES; i++)
        put_file(f, &m, i, &parts[i], resize);
    put_rows(f, &m, &shard, parts, !resize);
    m.shards = &shard;
    m.counted = !uncounted;
    MUST(manifest_write(&m, f->dir, NULL) == 0);
}
