/* walk.h - the files below a directory, in byte order of their names.
 *
 * Hidden names, special files, dangling links, links back to a directory
 * above, and stores with all that is in them (base/recognise.h) are skipped
 * and counted.
 */
#ifndef COOC_WALK_H
#define COOC_WALK_H

struct cooc_err;
struct reader_stats;
struct walk;

/* What is skipped is added to stats. */
int walk_open(struct walk **out, const char *dir, struct reader_stats *stats,
              struct cooc_err *err);
void walk_close(struct walk *w);

/* 1: the path of the next file, living until the next call; 0: no more. */
int walk_next(struct walk *w, const char **path, struct cooc_err *err);

#endif
