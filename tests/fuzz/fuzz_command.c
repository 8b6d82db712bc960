/* fuzz_command.c - the command line.
 *
 *     arguments, one per line, up to an empty line; the contents of a file f
 *
 * It runs in a directory with a store s and a file f.  Arguments with a '/' are
 * not tried, so that nothing is written elsewhere.
 */
#include "fuzz.h"

#include <sys/stat.h>
#include <unistd.h>

int unused_main(int argc, char **argv);
#define main unused_main
#include "cli/main.c"
#include "cooc_build.h"
#undef main

#define ARGUMENTS 16
#define FRESH 64 /* runs after which the directory is restored */

static const char lines[] =
    "tea milk sugar\ncoffee milk\ntea lemon caf\xc3\xa9\ntea sugar 42\n"
    "coffee sugar\ntea coffee\n";

static void prepare(void)
{
    static unsigned runs;
    struct cooc_index_options o = COOC_INDEX_OPTIONS;

    if (runs++ % FRESH && access("s/manifest.json", F_OK) == 0)
        return;
    MUST(chdir(fuzz_dir()) == 0);
    (void)!system("rm -rf -- ./*");
    fuzz_make_store("s", lines, &o);
    if (runs > 1)
        return;
    MUST(freopen("/dev/null", "r", stdin));
    stderr = fopen("/dev/null", "w"); /* messages */
    MUST(stderr);
}

/* Whether the argument cannot leave the directory. */
static bool is_safe(const char *arg)
{
    return !strchr(arg, '/') && !strstr(arg, "..");
}

void fuzz_one(const uint8_t *data, size_t size)
{
    char *argv[ARGUMENTS + 2] = { (char[]){ "cooc" } }, *own[ARGUMENTS + 1];
    struct bytes in = { data, size };
    const struct cmd *cmd = NULL;
    struct cooc_err err = { 0 };
    int argc = 1, rc;
    bool safe = true;

    while (argc <= ARGUMENTS && in.n && *in.p != '\n') {
        const uint8_t *nl = memchr(in.p, '\n', in.n);

        argv[argc] = own[argc] =
            take_text(&in, nl ? (size_t)(nl - in.p) : in.n);
        safe &= is_safe(argv[argc++]);
        take_byte(&in);
    }
    take_byte(&in);
    if (safe) {
        prepare();
        fuzz_put("f", in.p, in.n);
        rc = run(argc, argv, &cmd, &err);
        MUST(rc >= 0 || err.text[0]);
    }
    while (--argc > 0) /* argv has been reordered */
        free(own[argc]);
}
