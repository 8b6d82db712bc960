/* huge.c - documents for sizes.t, written faster than by a script.
 *
 *     huge fresh N K      N documents of K terms that occur nowhere else
 *     huge few N V        N documents of three of V terms: document d contains
 *                         d, d + 1 and 3 d + 2, all modulo V
 *     huge words BYTES    BYTES bytes of words without a newline
 *
 * One document per line; terms are decimal numbers after a letter.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TERM_MAX 24

static char out[1 << 20];
static size_t used;

static void flush(void)
{
    if (used && fwrite(out, used, 1, stdout) != 1)
        exit(1); /* the reader has closed the pipe, perhaps on purpose */
    used = 0;
}

/* Write the term with a number, and the separator after it. */
static void put_term(uint64_t number, char after)
{
    char digits[TERM_MAX], *d = digits + sizeof digits;

    if (used > sizeof out - TERM_MAX - 2)
        flush();
    do
        *--d = (char)('0' + number % 10);
    while (number /= 10);
    *--d = 'w';
    memcpy(out + used, d, (size_t)(digits + sizeof digits - d));
    used += (size_t)(digits + sizeof digits - d);
    out[used++] = after;
}

static void fresh(uint64_t docs, uint64_t terms)
{
    for (uint64_t d = 0; d < docs; d++)
        for (uint64_t i = 0; i < terms; i++)
            put_term(d * terms + i, i + 1 < terms ? ' ' : '\n');
}

static void few(uint64_t docs, uint64_t terms)
{
    for (uint64_t d = 0; d < docs; d++) {
        put_term(d % terms, ' ');
        put_term((d + 1) % terms, ' ');
        put_term((3 * d + 2) % terms, '\n');
    }
}

static void words(uint64_t bytes)
{
    for (uint64_t i = 0; bytes > 0; i++) {
        uint64_t before = used;

        put_term(i % 100003, ' ');
        if (used - before > bytes)
            used = before + bytes;
        bytes -= used - before;
        if (used > sizeof out / 2)
            flush();
    }
}

int main(int argc, char **argv)
{
    uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    uint64_t k = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;

    if (argc == 4 && n && k && !strcmp(argv[1], "fresh"))
        fresh(n, k);
    else if (argc == 4 && n && k && !strcmp(argv[1], "few"))
        few(n, k);
    else if (argc == 3 && n && !strcmp(argv[1], "words"))
        words(n);
    else {
        fputs("usage: huge fresh N K | few N V | words BYTES\n", stderr);
        return 2;
    }
    flush();
    return fflush(stdout) != 0;
}
