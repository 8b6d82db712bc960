/* walk.h - the files below a directory, in byte order of their names.
 *
 * Hidden names, special files, dangling links and links back to a directory
 * above are stepped over and counted.
 */
#ifndef COOC_WALK_H
#define COOC_WALK_H

#include <stdint.h>

struct cooc_err;
struct walk;

int walk_open(struct walk **out, const char *dir, uint64_t *skipped,
              struct cooc_err *err);
void walk_close(struct walk *w);

/* 1: the path of the next file, living until the next call; 0: no more. */
int walk_next(struct walk *w, const char **path, struct cooc_err *err);

#endif
