// network.cc - print a small network, one edge per line: the three strongest
// partners of each of the three strongest partners of a word.
//
//     c++ network.cc $(pkg-config --cflags --libs cooc) -o network
//     ./network NAME.cooc coffee
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <cooc.h>

class Store {
public:
    explicit Store(const char *path) { check(cooc_open(&db_, path, &err_)); }
    ~Store() { cooc_close(db_); }
    Store(const Store &) = delete;
    Store &operator=(const Store &) = delete;

    uint32_t find(const char *word)
    {
        uint32_t term = 0;

        check(cooc_term_find(db_, word, std::strlen(word), &term, &err_));
        return term;
    }

    std::string name(uint32_t term)
    {
        const char *text = nullptr;
        size_t len = 0;

        check(cooc_term_name(db_, term, &text, &len, &err_));
        return std::string(text, len);
    }

    std::vector<cooc_pair> partners(uint32_t term, size_t limit)
    {
        cooc_rank_options options = COOC_RANK_OPTIONS;
        cooc_hit *hits = nullptr;
        size_t n = 0;
        std::vector<cooc_pair> pairs;

        options.limit = limit;
        check(cooc_measure_find("llr", &options.scoring.measure, &err_));
        check(cooc_top(db_, &term, 1, COOC_MATCH_ALL, &options, &hits, &n,
                       &err_));
        for (size_t i = 0; i < n; i++)
            pairs.push_back(hits[i].pair);
        cooc_free(hits);
        return pairs;
    }

private:
    void check(int rc)
    {
        if (rc < 0)
            throw std::runtime_error(err_.text);
    }

    cooc *db_ = nullptr;
    cooc_err err_ = {};
};

int main(int argc, char **argv)
try {
    if (argc != 3)
        throw std::runtime_error("usage: network NAME.cooc WORD");
    Store store(argv[1]);
    for (const cooc_pair &near : store.partners(store.find(argv[2]), 3))
        for (const cooc_pair &far : store.partners(near.y, 3))
            std::cout << store.name(far.x) << '\t' << store.name(far.y)
                      << '\t' << far.count << '\n';
} catch (const std::exception &e) {
    std::cerr << "network: " << e.what() << '\n';
    return 1;
}
