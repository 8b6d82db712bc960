/* zip_header.c - parse the fixed fields of zip records, and the extra fields
 * that replace some of them: 64-bit sizes, names in UTF-8. */
#include "read/zip_header.h"

#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/bytes.h"

#define EXTRA_ZIP64 0x0001u
#define EXTRA_NAME 0x7075u /* a UTF-8 name, by Info-ZIP */
#define DOS_DIRECTORY 0x10u
#define SYSTEM_DOS 0u
#define SYSTEM_UNIX 3u

static uint16_t u16(const char *p)
{
    return (uint16_t)((unsigned char)p[0] | (unsigned char)p[1] << 8);
}

/* Parse the zip64 field.  It has, in this order, the numbers that are all ones
 * in the record because they do not fit there. */
static bool zip64(struct zip_record *r, const char *p, size_t n, bool central)
{
    uint64_t *const all[] = { &r->size, &r->packed, &r->offset };

    r->zip64 = true;
    for (size_t i = 0; i < (central ? 3u : 2u); i++) {
        if (*all[i] != UINT32_MAX)
            continue;
        if (n < 8)
            return false;
        *all[i] = get_le64(p);
        p += 8;
        n -= 8;
    }
    return true;
}

/* Parse Info-ZIP's name: a version, the CRC of the original name, and the name
 * in UTF-8. */
static void unicode_name(struct zip_record *r, const char *p, size_t n)
{
    const Bytef *old = (const Bytef *)r->name;

    if (n > 5 && p[0] == 1 &&
        get_le32(p + 1) == crc32(0, old, (uInt)r->name_len)) {
        r->name = p + 5;
        r->name_len = n - 5;
    }
}

static bool extras(struct zip_record *r, const char *p, size_t n, bool central)
{
    while (n >= 4) {
        unsigned id = u16(p);
        size_t len = u16(p + 2);

        if (len > n - 4)
            return false;
        if (id == EXTRA_ZIP64 && !zip64(r, p + 4, len, central))
            return false;
        if (id == EXTRA_NAME)
            unicode_name(r, p + 4, len);
        p += 4 + len;
        n -= 4 + len;
    }
    return true; /* some programs pad with less than 4 bytes */
}

static void set_type(struct zip_record *r, uint32_t mode)
{
    mode &= S_IFMT;
    /* Info-ZIP writes S_IFIFO for data that it read from a pipe. */
    r->regular = (mode == 0 || mode == S_IFREG || mode == S_IFIFO) &&
                 !(r->name_len && r->name[r->name_len - 1] == '/');
}

bool zip_central(struct zip_record *r, const char *p, size_t n, size_t *used)
{
    size_t name, extra;
    uint32_t attributes;
    unsigned system;

    if (n < ZIP_CENTRAL_LEN || memcmp(p, "PK\1\2", 4) != 0)
        return false;
    name = u16(p + 28);
    extra = u16(p + 30);
    *used = ZIP_CENTRAL_LEN + name + extra + u16(p + 32);
    if (n < *used)
        return false;
    system = (unsigned char)p[5];
    attributes = get_le32(p + 38);
    *r = (struct zip_record){
        .name = p + ZIP_CENTRAL_LEN, .name_len = name,
        .flags = u16(p + 8), .method = u16(p + 10), .crc = get_le32(p + 16),
        .packed = get_le32(p + 20), .size = get_le32(p + 24),
        .offset = get_le32(p + 42), .dos = system == SYSTEM_DOS,
    };
    if (!extras(r, p + ZIP_CENTRAL_LEN + name, extra, true))
        return false;
    set_type(r, system == SYSTEM_UNIX ? attributes >> 16
                : r->dos && (attributes & DOS_DIRECTORY) ? S_IFDIR
                                                         : 0);
    return true;
}

bool zip_local(struct zip_record *r, const char *p, size_t n, size_t *used)
{
    size_t name, extra;

    if (n < ZIP_LOCAL_LEN || memcmp(p, "PK\3\4", 4) != 0)
        return false;
    name = u16(p + 26);
    extra = u16(p + 28);
    *used = ZIP_LOCAL_LEN + name + extra;
    if (n < *used)
        return false;
    *r = (struct zip_record){
        .name = p + ZIP_LOCAL_LEN, .name_len = name,
        .flags = u16(p + 6), .method = u16(p + 8), .crc = get_le32(p + 14),
        .packed = get_le32(p + 18), .size = get_le32(p + 22),
        .dos = (unsigned char)p[5] == SYSTEM_DOS,
    };
    if (!extras(r, p + ZIP_LOCAL_LEN + name, extra, false))
        return false;
    set_type(r, 0);
    return true;
}
