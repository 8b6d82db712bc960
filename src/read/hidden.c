/* hidden.c - recognise hidden names and note that they were skipped. */
#include "read/hidden.h"

#include <string.h>

#include "base/watch.h"
#include "cooc_build.h"

bool is_hidden(const char *path)
{
    for (const char *p = path; p; p = strchr(p, '/')) {
        p += strspn(p, "/");
        if (*p == '.' && p[strspn(p, ".")] != '/' && p[1])
            return true;
    }
    return false;
}

void note_hidden(struct watch *watch, const char *path)
{
    watch_note(watch, (struct cooc_note){
                          .kind = COOC_NOTE_HIDDEN, .path = path, .text = "" });
}
