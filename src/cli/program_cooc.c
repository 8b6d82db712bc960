/* program_cooc.c - the program cooc: all commands, run by the library in this
 * process. */
#include "cli/program.h"
#include "cooc_build.h"

static const struct cmd commands[] = {
    { CMD_MAKE, .job = &job_index },
    { CMD_MAKE, .job = &job_count },
    { CMD_MAKE, .job = &job_merge },
    { CMD_MAKE, .job = &job_add },
    { CMD_MAKE, .question = &question_methods },
    { CMD_ASK, .question = &question_stats },
    { CMD_ASK, .question = &question_pair },
    { CMD_ASK, .question = &question_top },
    { CMD_ASK, .question = &question_similar },
    { CMD_ASK, .question = &question_row },
    { CMD_ASK, .question = &question_pairs },
    { CMD_ASK, .question = &question_between },
    { CMD_ASK, .question = &question_within, .printer = &printer_matrix },
    { CMD_ASK, .question = &question_docs },
    { CMD_ASK, .question = &question_terms },
    { CMD_ASK, .question = &question_measures, .printer = &printer_measures },
    { CMD_KEEP, .job = &job_export },
    { CMD_KEEP, .job = &job_dump },
    { CMD_KEEP, .job = &job_check },
};

static const char introduction[] =
    "cooc counts, exactly, in how many documents each pair of terms occurs "
    "together.\n"
    "It reads documents in many formats and writes a store, a directory that "
    "can be\n"
    "queried without delay. All pairs are counted; nothing is sampled.\n"
    "\n"
    "First steps, which you can paste into a shell:\n"
    "  printf '%s\\n' 'coffee with milk' 'tea with milk' 'black coffee' "
    "> drinks.txt\n"
    "  cooc count drinks.txt -o drinks.cooc  # one document per line\n"
    "  cooc top drinks.cooc coffee           # which terms go with coffee?\n"
    "  cooc pair drinks.cooc coffee milk     # one pair in detail\n"
    "\n"
    "'cooc top' prints:\n"
    "  term   count  df\n"
    "  milk       1   2\n"
    "  with       1   2\n"
    "  black      1   1\n"
    "count is the number of documents that contain both coffee and the "
    "term; df (the\n"
    "document frequency) is the number of documents that contain the term. "
    "On a large\n"
    "collection, '--by llr' ranks characteristic terms above common ones.\n"
    "\n"
    "To use your own documents, give a file, several files or a directory "
    "instead of\n"
    "drinks.txt; compressed files and archives are read directly.\n";

static const char conclusion[] =
    "\n"
    "'cooc help COMMAND' explains a command and its options; 'man cooc' is "
    "the full\n"
    "manual; 'cooc --version' prints the version. Results go to standard "
    "output:\n"
    "aligned on a terminal, tab-separated in a pipe, or as JSON with --json.\n";

const struct program program = {
    .name = "cooc", .usage = "cooc", .commands = commands,
    .n_commands = sizeof commands / sizeof *commands,
    .introduction = introduction, .conclusion = conclusion,
    .kept = "nothing was stored",
    .index = cooc_index, .count = cooc_count,
};

int program_start(int argc, char **argv, struct cooc_err *err)
{
    (void)argc;
    (void)argv;
    (void)err;
    return 0;
}

bool program_silent(void)
{
    return false;
}

int program_settle(int rc, struct cooc_err *err)
{
    (void)err;
    return rc;
}

int program_report(struct answer *a, bool each, struct cooc_err *err)
{
    (void)a;
    (void)each;
    (void)err;
    return 0;
}

void program_end(void)
{
}
