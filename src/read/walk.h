/* walk.h - iterate over the files below a directory, in byte order of names.
 *
 * Hidden files, special files, dangling links, links to an ancestor directory,
 * and stores with all their files (base/recognise.h) are skipped and counted.
 */
#ifndef COOC_WALK_H
#define COOC_WALK_H

struct cooc_err;
struct reader_stats;
struct walk;
struct watch;

/* Open a directory.  Skipped files and stores are counted in stats.  Hidden
 * files are noted to watch, which may be NULL. */
int walk_open(struct walk **out, const char *dir, struct reader_stats *stats,
              struct watch *watch, struct cooc_err *err);
void walk_close(struct walk *w);

/* 1: the path of the next file, which lives until the next call; 0: no more
 * files; < 0: failed. */
int walk_next(struct walk *w, const char **path, struct cooc_err *err);

#endif
