/* manifest_text.h - what the text of a manifest is made of; for manifest.c and
 * manifest_write.c. */
#ifndef COOC_MANIFEST_TEXT_H
#define COOC_MANIFEST_TEXT_H

/* The text ends in the checksum of what is before it. */
#define SUM_BEFORE ",\n  \"checksum\": \""
#define SUM_AFTER "\"\n}\n"
#define SUM_DIGITS 16

#define LABELS "labels" /* a feature: see index/labels.h */

extern const char *const manifest_modes[3];   /* by enum token_mode */
extern const char *const manifest_written[2]; /* by enum cooc_written */

#endif
