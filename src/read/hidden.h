/* hidden.h - files with hidden names, which are skipped. */
#ifndef COOC_HIDDEN_H
#define COOC_HIDDEN_H

#include <stdbool.h>

struct watch;

/* Does a component of the path begin with a dot ("./" and "../" do not
 * count)? */
bool is_hidden(const char *path);

/* Note that the file at path was skipped.  watch may be NULL. */
void note_hidden(struct watch *watch, const char *path);

#endif
