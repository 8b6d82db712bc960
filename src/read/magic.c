/* magic.c - the signatures of compressed files and archives. */
#include "read/magic.h"

#include <stdbool.h>
#include <string.h>

static bool at(const char *head, size_t len, size_t pos, const char *mark,
               size_t n)
{
    return len >= pos + n && memcmp(head + pos, mark, n) == 0;
}

bool all_zero(const char *p, size_t n)
{
    while (n && *p == 0)
        p++, n--;
    return n == 0;
}

/* Are there control characters or bytes that are not ASCII? */
static bool is_binary(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)p[i] >= 0x7f ||
            ((unsigned char)p[i] < 0x20 && (p[i] < '\t' || p[i] > '\r')))
            return true;
    return false;
}

/* "BZh1".."BZh9" and the magic number of a block, "1AY&SY", are plain text.
 * After the magic number come four bytes of checksum and the upper bits of a
 * number below 900,000, so byte 14 is a control character.  A file without
 * blocks has a different magic number, which begins with a control character.
 * A file is recognised even if the magic number or byte 14 is damaged. */
static bool is_bz2(const char *head, size_t len)
{
    if (len < 5 || memcmp(head, "BZh", 3) != 0 || head[3] < '1' ||
        head[3] > '9')
        return false;
    return head[4] == 0x17 || (len > 14 && (unsigned char)head[14] < 8) ||
           (at(head, len, 4, "1AY&SY", 6) && is_binary(head, len));
}

/* Is it a numeric field of a tar header: blanks, octal digits, then blanks or
 * NULs? */
static bool is_octal(const char *p, size_t n)
{
    size_t i = 0, digits = 0;

    while (i < n && p[i] == ' ')
        i++;
    for (; i < n && p[i] >= '0' && p[i] <= '7'; i++)
        digits++;
    while (i < n && (p[i] == ' ' || p[i] == 0))
        i++;
    return digits && i == n;
}

/* Is the checksum of the tar header correct?  It is the sum of all bytes, with
 * the checksum field itself counted as blanks. */
static bool has_tar_sum(const char *head)
{
    unsigned long sum = 8 * ' ', said = 0;
    size_t i;

    for (i = 0; i < 512; i++)
        if (i < 148 || i >= 156)
            sum += (unsigned char)head[i];
    for (i = 148; i < 156 && head[i] == ' '; i++)
        ;
    for (; i < 156 && head[i] >= '0' && head[i] <= '7'; i++)
        said = said * 8 + (unsigned long)(head[i] - '0');
    return sum == said;
}

/* The oldest tar headers have no signature.  They have numeric fields, followed
 * by zeros unless a newer program wrote the header; then the checksum
 * decides. */
static bool is_old_tar(const char *head)
{
    static const struct {
        size_t at, len;
    } numbers[] = { { 100, 8 }, { 124, 12 }, { 136, 12 }, { 148, 8 } };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!is_octal(head + numbers[i].at, numbers[i].len))
            return false;
    return head[0] && (all_zero(head + 257, 512 - 257) || has_tar_sum(head));
}

static bool is_tar(const char *head, size_t len)
{
    if (at(head, len, 257, "ustar\0", 6) || at(head, len, 257, "ustar  ", 8))
        return true;
    return len >= 512 && (all_zero(head, 512) || is_old_tar(head));
}

enum magic magic_detect(const char *head, size_t len)
{
    if (at(head, len, 0, "\x1f\x8b", 2))
        return MAGIC_GZ;
    if (at(head, len, 0, "\xfd\x37zXZ\0", 6))
        return MAGIC_XZ;
    if (at(head, len, 0, "\x28\xb5\x2f\xfd", 4))
        return MAGIC_ZST;
    if (at(head, len, 0, "\x04\x22\x4d\x18", 4))
        return MAGIC_LZ4;
    if (is_bz2(head, len))
        return MAGIC_BZ2;
    if (at(head, len, 0, "PK\3\4", 4) || at(head, len, 0, "PK\5\6", 4) ||
        at(head, len, 0, "PK\7\10PK\3\4", 8))
        return MAGIC_ZIP;
    return is_tar(head, len) ? MAGIC_TAR : MAGIC_NONE;
}

const char *magic_name(enum magic p)
{
    static const char *const names[] = { "plain", "gz",  "bz2", "xz",
                                         "zst",   "lz4", "tar", "zip" };

    return names[p];
}
