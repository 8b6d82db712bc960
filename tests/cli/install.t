#!/bin/bash
# install.t - the installed files work on their own: the program, the library
# for C and C++, the manual page, completion.
. "$(dirname "$0")/../tap.sh"
root=$TAP/root
if ! command -v meson >/dev/null; then
    skip 'everything is installed' 'meson is not installed'
    ended
fi
value() # build option
{
    meson introspect --buildoptions "$BUILD" | python3 -c "
import json, sys
print(next((o['value'] for o in json.load(sys.stdin)
            if o['name'] == '$1'), ''))"
}
prefix=$(value prefix)
case $(value libdir) in
/*) lib=$root$(value libdir) ;;
*) lib=$root$prefix/$(value libdir) ;;
esac
case $(value b_sanitize) in
none | '') flags= ;;
*) flags=-fsanitize=$(value b_sanitize) ;;
esac

ok 'everything is installed below DESTDIR' \
    env DESTDIR="$root" meson install -C "$BUILD" --no-rebuild
for f in "$root$prefix/bin/cooc" "$lib/libcooc.a" "$lib/libcooc.so" \
    "$lib/libcooc.so.0.1" "$root$prefix/include/cooc.h" \
    "$root$prefix/include/cooc_build.h" \
    "$root$prefix/include/cooc_bulk.h" \
    "$root$prefix/include/cooc_export.h" \
    "$root$prefix/include/cooc_parts.h" \
    "$lib/pkgconfig/cooc.pc" "$root$prefix/share/man/man1/cooc.1" \
    "$root$prefix/share/bash-completion/completions/cooc"; do
    ok "${f##*/} is installed" test -s "$f"
done
COOC=$root$prefix/bin/cooc
ok 'the installed program counts' \
    "$COOC" count "$DATA/drinks.txt" -o d.cooc -q
is 'no other files are installed' \
    "$(cd "$root" && find . -type f ! -path ".$prefix/*")" ''

# ---- the library

export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
export LD_LIBRARY_PATH=$lib
if command -v pkg-config >/dev/null && command -v cc >/dev/null; then
    is 'pkg-config has the version' "cooc $(pkg-config --modversion cooc)" \
        "$("$COOC" --version)"
    ok 'the example builds with pkg-config' sh -c \
        "cc -Wall -Wextra -Werror $flags '$SRC/examples/tiny.c' -o tiny \
            \$(pkg-config --cflags --libs cooc)"
    ./tiny "$DATA/drinks.txt" tiny.cooc >tiny.out
    is 'the example runs' $? 0
    ok 'the example prints the ten strongest pairs' diff tiny.out - <<'END'
milk with: in 3 documents
7 cups: in 1 documents
7 of: in 1 documents
au café: in 1 documents
au lait: in 1 documents
café lait: in 1 documents
cups of: in 1 documents
tea and: in 2 documents
and green: in 1 documents
black green: in 1 documents
END
    "$COOC" pairs d.cooc --by llr -n 10 | sed 1d |
        awk -F '\t' '{ print $1 " " $2 ": in " $3 " documents" }' >cli.out
    ok 'the example prints the same pairs as the program' diff cli.out tiny.out
    ok 'the example uses the shared library' sh -c \
        'ldd tiny | grep -q "libcooc.so.0.1 => $LD_LIBRARY_PATH/"'
    mkdir static.d && cp "$lib/libcooc.a" static.d
    ok 'the example builds with the static library' sh -c \
        "cc $flags '$SRC/examples/tiny.c' -o static -Lstatic.d \
            \$(pkg-config --cflags cooc) \
            \$(pkg-config --static --libs cooc | sed 's/-L[^ ]*//')"
    ok 'the static example does not use the shared library' \
        sh -c '! ldd static | grep libcooc'
    if [ -z "$flags" ] && command -v c++ >/dev/null; then
        ok 'the example builds without any shared library' sh -c \
            "cc -static '$SRC/examples/tiny.c' -o whole -Lstatic.d \
                \$(pkg-config --cflags cooc) \
                \$(pkg-config --static --libs cooc | sed 's/-L[^ ]*//') \
                -lstdc++ 2>/dev/null"
        ok 'the example without shared libraries prints the same pairs' sh -c \
            "./whole '$DATA/drinks.txt' whole.cooc | diff tiny.out -"
    else
        skip 'the example builds without any shared library' \
            'sanitizers, or no c++ here'
    fi
    ok 'pkg-config requires no other package' sh -c \
        'PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --cflags --libs cooc'
    ok 'pkg-config --static requires no other package' sh -c \
        'PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --static --libs cooc'
    rm -rf tiny.cooc
    ok 'the static example prints the same pairs' sh -c \
        "./static '$DATA/drinks.txt' tiny.cooc | diff tiny.out -"
    ./tiny >/dev/null 2>&1
    is 'the example exits with 2 on a usage error' $? 2
    ./tiny none none.cooc 2>err
    is 'the example exits with 1 and a message on failure' "$? $(cat err)" \
        '1 tiny: none: cannot open: No such file or directory'
    printf '#include <%s>\n' cooc_parts.h cooc_export.h cooc_build.h \
        cooc_bulk.h cooc.h \
        >header.c
    cat >>header.c <<'END'
int make(struct cooc_index_options *o, struct cooc_rank_options *r);
int make(struct cooc_index_options *o, struct cooc_rank_options *r)
{
    struct cooc_index_options i = COOC_INDEX_OPTIONS;
    struct cooc_rank_options k = COOC_RANK_OPTIONS;

    *o = i;
    *r = k;
    return i.size == sizeof i && k.size == sizeof k;
}
END
    warn='-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only'
    for std in c99 c11 c17 c2x; do
        ok "the headers compile without warnings in $std" \
            cc -std=$std $warn $(pkg-config --cflags cooc) header.c
    done
    if command -v c++ >/dev/null; then
        { cat header.c; echo '#include <vector>'
          echo 'std::vector<cooc_pair> pairs;'; } >header.cc
        for std in c++11 c++14 c++17 c++20; do
            ok "the headers compile without warnings in $std" \
                c++ -std=$std $warn $(pkg-config --cflags cooc) header.cc
        done
        ok 'the C++ example builds' sh -c \
            "c++ -std=c++11 -Wall -Wextra -Werror $flags \
                '$SRC/examples/network.cc' -o network \
                \$(pkg-config --cflags --libs cooc)"
        is 'the C++ example runs' \
            "$(./network d.cooc tea | head -n 1)" "and	tea	2"
        for name in tiny feed serve stream; do
            ok "$name.c builds as C++" sh -c \
                "c++ -x c++ -std=c++11 -Wall -Wextra -Werror $flags \
                    '$SRC/examples/$name.c' -pthread -o $name.c++ \
                    \$(pkg-config --cflags --libs cooc)"
        done
        rm -rf tiny.cooc
        ok 'tiny.c as C++ prints the same' sh -c \
            "./tiny.c++ '$DATA/drinks.txt' tiny.cooc | diff tiny.out -"
        is 'feed.c as C++ makes a store' "$(./feed.c++ f++.cooc | tail -n 1)" \
            '4 documents, 17 terms'
        is 'stream.c as C++ prints pairs' "$(./stream.c++ d.cooc 3)" \
            'milk	with	3'
        is 'serve.c as C++ answers' \
            "$(./serve.c++ d.cooc 50 | grep -c 'partners$')" 4
    else
        skip 'the headers compile in C++' 'c++ is not installed'
    fi
    ok 'the example builds with Meson' sh -c \
        "CFLAGS='$flags' LDFLAGS='$flags' meson setup by-meson \
            '$SRC/examples/meson' && ninja -C by-meson"
    rm -rf tiny.cooc
    ok 'and runs' sh -c \
        "by-meson/tiny '$DATA/drinks.txt' tiny.cooc | diff tiny.out -"
    if command -v cmake >/dev/null; then
        ok 'the example builds with CMake' sh -c \
            "CFLAGS='$flags' cmake -S '$SRC/examples/cmake' -B by-cmake &&
                cmake --build by-cmake"
        rm -rf tiny.cooc
        ok 'and runs' sh -c \
            "by-cmake/tiny '$DATA/drinks.txt' tiny.cooc | diff tiny.out -"
    else
        skip 'the example builds with CMake' 'no cmake here'
    fi
    for name in feed serve stream; do
        ok "$name.c builds" sh -c \
            "cc -Wall -Wextra -Werror $flags '$SRC/examples/$name.c' \
                -pthread -o $name \$(pkg-config --cflags --libs cooc)"
    done
    is 'feed.c makes a store and adds to it' "$(./feed feed.cooc)" \
        '3 documents, 13 terms
4 documents, 17 terms'
    is 'check accepts the store of feed.c' \
        "$("$COOC" check feed.cooc >/dev/null; echo $?)" 0
    is 'stream.c prints pairs' "$(./stream d.cooc 3)" 'milk	with	3'
    is 'serve.c answers from four threads' \
        "$(./serve d.cooc 50 | grep -c 'partners$')" 4
    awk '/^```c$/ { p = !done } /^```$/ { done = done || p; p = 0 }
         p && !/^```/' "$SRC/docs/LIBRARY.md" >hello.c
    ok 'the program in docs/LIBRARY.md builds' sh -c \
        "cc -Wall -Wextra -Werror $flags hello.c -o hello \
            \$(pkg-config --cflags --libs cooc)"
    is 'the program in docs/LIBRARY.md prints what the page shows' \
        "$(./hello)" 'together in 1 of 3 documents'
else
    skip 'the example builds with pkg-config' \
        'pkg-config or cc is not installed'
fi
if command -v nm >/dev/null; then
    is 'all global names of the static library begin with cooc_' \
        "$(nm -g --defined-only "$lib/libcooc.a" | awk 'NF == 3 { print $3 }' |
           grep -v '^cooc_')" ''
    nm -D --defined-only "$lib/libcooc.so" | awk '$2 ~ /[TDBR]/ { print $3 }' |
        sed 's/@.*//' | sort >symbols
    is 'all exported names of the shared library begin with cooc_' \
        "$(grep -v -E '^(cooc_|__|_init$|_fini$)' symbols)" ''
    grep -ohE '\bcooc_[a-z_]+\(' "$SRC"/include/*.h | tr -d '(' |
        sort -u >declared
    is 'the shared library exports every declared function' \
        "$(comm -23 declared symbols | tr '\n' ' ')" ''
    is 'the shared library exports only declared functions' \
        "$(grep ^cooc_ symbols | comm -13 declared - | tr '\n' ' ')" ''
else
    skip 'all exported names of the shared library begin with cooc_' \
        'nm is not installed'
fi

# ---- the manual

page=$root$prefix/share/man/man1/cooc.1
if command -v mandoc >/dev/null; then
    ok 'mandoc finds no errors in the manual page' \
        mandoc -T lint -W error "$page"
    mandoc -T ascii "$page" | sed 's/.\x08//g' >page.txt
    for c in index count merge add methods stats pair top similar row pairs between \
        within docs terms export dump check; do
        ok "the manual page describes $c" grep -qE "^ +(cooc )?$c\b" page.txt
        for o in $("$COOC" $c --help | grep -oE -- '--[a-z][a-z-]+' |
                   sort -u | grep -vx -e --help); do
            grep -q -e "$o" page.txt || echo "$c $o"
        done >missing
        is "the manual page has all options of $c" "$(cat missing)" ''
    done
else
    skip 'mandoc finds no errors in the manual page' 'mandoc is not installed'
fi

# ---- completion

completions() # word...: completions of the last word
{
    PATH=$root$prefix/bin:$PATH bash --norc -c '
        . "$1" || exit
        shift
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        COMP_LINE="$*"
        COMP_POINT=${#COMP_LINE}
        _cooc cooc "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        echo "${COMPREPLY[*]}"' - \
        "$root$prefix/share/bash-completion/completions/cooc" "$@" 2>/dev/null
}
is 'a command is completed' "$(completions cooc to)" top
is 'commands with the same prefix are completed' \
    "$(completions cooc pa)" 'pair pairs'
is 'a list of measures is completed' \
    "$(completions cooc row s.cooc a --measures pmi,ll)" pmi,llr
touch words.txt
is 'lists of words are completed' \
    "$(completions cooc within d.cooc wor)" words.txt
is 'commands after help are completed' "$(completions cooc help met)" methods
is 'options are completed' \
    "$(completions cooc top s.cooc a --min-c)" --min-count
is 'measures are completed' "$(completions cooc top s.cooc a --by n)" npmi
is 'measures after = are completed' "$(completions cooc pairs --by = ll)" llr
is 'methods are completed' "$(completions cooc count --method list-)" \
    'list-scan list-blocks list-pairs'
is 'input formats are completed' "$(completions cooc index --format tr)" \
    'trec triples transactions'
is 'export formats are completed' "$(completions cooc export --format '')" \
    'tsv csv jsonl raw glove mtx npz sqlite gexf graphml pajek vosviewer gephi-csv ciff'
is 'stores are completed' "$(completions cooc stats d)" d.cooc
touch 'd file.txt'
is 'documents are completed' "$(completions cooc index 'd f')" 'd file.txt'
is 'completion registers itself' \
    "$(bash --norc -c '. "$1"; complete -p cooc' - \
       "$root$prefix/share/bash-completion/completions/cooc")" \
    'complete -F _cooc cooc'
ended
