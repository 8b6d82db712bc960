/* own_dir.h - group set-up and tear-down that give a test program a directory
 * of its own. */
#ifndef COOC_TEST_OWN_DIR_H
#define COOC_TEST_OWN_DIR_H

#include "tools.h"

static char *dir;

static inline int make_dir(void **state)
{
    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    return 0;
}

static inline int remove_dir(void **state)
{
    (void)state;
    drop_dir(dir);
    return 0;
}

#endif
