/* known_names.h - report added documents with names that a store already
 * has. */
#ifndef COOC_KNOWN_NAMES_H
#define COOC_KNOWN_NAMES_H

struct collection;
struct cooc_err;
struct watch;

/* Warn, once, if documents of `added` have the name of a document of `old`.
 * Documents from standard input ("-", "-:LINE") are ignored, because their
 * names mean nothing.  Takes 16 bytes per added document and reads the names of
 * all old ones. */
int known_names_report(const struct collection *old,
                       const struct collection *added, const char *store,
                       struct watch *watch, struct cooc_err *err);

#endif
