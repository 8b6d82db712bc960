/* replay.c - run a fuzz target on files instead of under the fuzzer.
 *
 *     fuzz_NAME FILE|DIRECTORY...
 *
 * Prints the number of inputs that succeeded.  An input that fails ends the
 * program, as under the fuzzer; its name is the last one printed.
 */
#include "fuzz.h"

#include <dirent.h>
#include <unistd.h>

static unsigned long replayed;

static void replay_file(const char *path)
{
    size_t len;
    uint8_t *file = fuzz_get(path, &len);
    uint8_t *data = malloc(len ? len : 1); /* exact size, for sanitizers */

    MUST(data);
    memcpy(data, file, len);
    free(file);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(data, len);
    free(data);
    replayed++;
}

static void replay(const char *path)
{
    struct dirent **names;
    int n = scandir(path, &names, NULL, alphasort);

    if (n < 0) {
        if (access(path, F_OK) == 0)
            replay_file(path);
        return;
    }
    for (int i = 0; i < n; i++) {
        char *file;

        MUST(asprintf(&file, "%s/%s", path, names[i]->d_name) > 0);
        if (names[i]->d_name[0] != '.')
            replay_file(file);
        free(file);
        free(names[i]);
    }
    free(names);
}

int main(int argc, char **argv)
{
    int out = dup(STDOUT_FILENO); /* targets may print */
    char text[64];
    int n;

    MUST(freopen("/dev/null", "w", stdout));
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    n = snprintf(text, sizeof text, "%lu inputs\n", replayed);
    return write(out, text, (size_t)n) == n ? 0 : 1;
}
