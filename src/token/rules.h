/* rules.h - what a tokeniser reads of its rules; private to token/. */
#ifndef COOC_RULES_H
#define COOC_RULES_H

#include "token/ascii.h"
#include "token/thesaurus.h"
#include "token/token.h"

struct rules {
    enum token_mode mode;
    bool keep_case, drop_numbers;
    uint32_t min_length, max_length; /* 0: no limit */
    char *stem;                      /* NULL: none */
    struct ascii_rules ascii;
    struct dict *stop; /* NULL: none */
    struct thesaurus thesaurus;
};

#endif
