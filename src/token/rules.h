/* rules.h - the rules that a tokeniser applies; private to token/. */
#ifndef COOC_RULES_H
#define COOC_RULES_H

#include "kernel/classify.h"
#include "token/thesaurus.h"
#include "token/token.h"

struct rules {
    enum token_mode mode;
    bool keep_case, drop_numbers;
    uint32_t min_length, max_length; /* characters; 0: no limit */
    char *stem;                      /* Snowball language, or NULL */
    struct byte_classes kinds; /* of ASCII characters */
    struct dict *stop; /* NULL: no stop list */
    struct thesaurus thesaurus;
};

#endif
