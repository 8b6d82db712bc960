#!/bin/bash
# install.t - what is installed serves a stranger: the program, the library
# for C and C++, the manual, completion.
. "$(dirname "$0")/../tap.sh"
root=$TAP/root
if ! command -v meson >/dev/null; then
    skip 'everything is installed' 'no meson here'
    ended
fi
value() # of a build option
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
    "$lib/pkgconfig/cooc.pc" "$root$prefix/share/man/man1/cooc.1" \
    "$root$prefix/share/bash-completion/completions/cooc"; do
    ok "${f##*/} is in place" test -s "$f"
done
COOC=$root$prefix/bin/cooc
ok 'the installed program counts' \
    "$COOC" count "$DATA/drinks.txt" -o d.cooc -q
is 'nothing is installed elsewhere' \
    "$(cd "$root" && find . -type f ! -path ".$prefix/*")" ''

# ---- the library

export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
export LD_LIBRARY_PATH=$lib
if command -v pkg-config >/dev/null && command -v cc >/dev/null; then
    is 'pkg-config knows the version' "cooc $(pkg-config --modversion cooc)" \
        "$("$COOC" --version)"
    ok 'the example builds with pkg-config' sh -c \
        "cc -Wall -Wextra -Werror $flags '$SRC/examples/tiny.c' -o tiny \
            \$(pkg-config --cflags --libs cooc)"
    ./tiny "$DATA/drinks.txt" tiny.cooc >tiny.out
    is 'the example runs' $? 0
    ok 'and prints the ten strongest pairs' diff tiny.out - <<'END'
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
    ok 'which are those of the program' diff cli.out tiny.out
    ok 'it uses the shared library' sh -c \
        'ldd tiny | grep -q "libcooc.so.0.1 => $LD_LIBRARY_PATH/"'
    mkdir static.d && cp "$lib/libcooc.a" static.d
    ok 'the example builds with the static library' sh -c \
        "cc $flags '$SRC/examples/tiny.c' -o static -Lstatic.d \
            \$(pkg-config --cflags cooc) \
            \$(pkg-config --static --libs cooc | sed 's/-L[^ ]*//')"
    ok 'which is in the program' sh -c '! ldd static | grep libcooc'
    if [ -z "$flags" ] && command -v c++ >/dev/null; then
        ok 'the example builds without any shared library' sh -c \
            "cc -static '$SRC/examples/tiny.c' -o whole -Lstatic.d \
                \$(pkg-config --cflags cooc) \
                \$(pkg-config --static --libs cooc | sed 's/-L[^ ]*//') \
                -lstdc++ 2>/dev/null"
        ok 'and prints the same' sh -c \
            "./whole '$DATA/drinks.txt' whole.cooc | diff tiny.out -"
    else
        skip 'the example builds without any shared library' \
            'sanitizers, or no c++ here'
    fi
    ok 'pkg-config asks for no other package' sh -c \
        'PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --cflags --libs cooc'
    ok 'nor with --static' sh -c \
        'PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --static --libs cooc'
    rm -rf tiny.cooc
    ok 'and prints the same' sh -c \
        "./static '$DATA/drinks.txt' tiny.cooc | diff tiny.out -"
    ./tiny >/dev/null 2>&1
    is 'the example knows wrong usage' $? 2
    ./tiny none none.cooc 2>err
    is 'and failure' "$? $(cat err)" \
        '1 tiny: none: cannot open: No such file or directory'
    printf '#include <%s>\n' cooc_export.h cooc_build.h cooc_bulk.h cooc.h \
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
        ok "the headers are clean in $std" \
            cc -std=$std $warn $(pkg-config --cflags cooc) header.c
    done
    if command -v c++ >/dev/null; then
        { cat header.c; echo '#include <vector>'
          echo 'std::vector<cooc_pair> pairs;'; } >header.cc
        for std in c++11 c++14 c++17 c++20; do
            ok "and in $std" \
                c++ -std=$std $warn $(pkg-config --cflags cooc) header.cc
        done
        ok 'the example in C++ builds' sh -c \
            "c++ -std=c++11 -Wall -Wextra -Werror $flags \
                '$SRC/examples/network.cc' -o network \
                \$(pkg-config --cflags --libs cooc)"
        is 'and runs' "$(./network d.cooc tea | head -n 1)" "and	tea	2"
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
        skip 'and in C++' 'no c++ here'
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
    is 'which is sound' "$("$COOC" check feed.cooc >/dev/null; echo $?)" 0
    is 'stream.c prints pairs' "$(./stream d.cooc 3)" 'milk	with	3'
    is 'serve.c answers from four threads' \
        "$(./serve d.cooc 50 | grep -c 'partners$')" 4
    awk '/^```c$/ { p = !done } /^```$/ { done = done || p; p = 0 }
         p && !/^```/' "$SRC/docs/LIBRARY.md" >hello.c
    ok 'the program in docs/LIBRARY.md builds' sh -c \
        "cc -Wall -Wextra -Werror $flags hello.c -o hello \
            \$(pkg-config --cflags --libs cooc)"
    is 'and prints what it says' "$(./hello)" 'together in 1 of 3 documents'
else
    skip 'the example builds with pkg-config' 'no pkg-config or cc here'
fi
if command -v nm >/dev/null; then
    is 'the static library has global names of ours only' \
        "$(nm -g --defined-only "$lib/libcooc.a" | awk 'NF == 3 { print $3 }' |
           grep -v '^cooc_')" ''
    nm -D --defined-only "$lib/libcooc.so" | awk '$2 ~ /[TDBR]/ { print $3 }' |
        sed 's/@.*//' | sort >symbols
    is 'the shared library shows names of ours only' \
        "$(grep -v -E '^(cooc_|__|_init$|_fini$)' symbols)" ''
    grep -ohE '\bcooc_[a-z_]+\(' "$SRC"/include/*.h | tr -d '(' |
        sort -u >declared
    is 'and every one that the header declares' \
        "$(comm -23 declared symbols | tr '\n' ' ')" ''
    is 'and no other' \
        "$(grep ^cooc_ symbols | comm -13 declared - | tr '\n' ' ')" ''
else
    skip 'the shared library shows names of ours only' 'no nm here'
fi

# ---- the manual

page=$root$prefix/share/man/man1/cooc.1
if command -v mandoc >/dev/null; then
    ok 'the manual page is sound' mandoc -T lint -W error "$page"
    mandoc -T ascii "$page" | sed 's/.\x08//g' >page.txt
    for c in index count merge add methods stats pair top row pairs between \
        within docs terms export dump check; do
        ok "it tells about $c" grep -qE "^ +(cooc )?$c\b" page.txt
        for o in $("$COOC" $c --help | grep -oE -- '--[a-z][a-z-]+' |
                   sort -u | grep -vx -e --help); do
            grep -q -e "$o" page.txt || echo "$c $o"
        done >missing
        is "and all options of $c" "$(cat missing)" ''
    done
else
    skip 'the manual page is sound' 'no mandoc here'
fi

# ---- completion

completions() # word... : what may stand for the last
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
is 'completion knows commands' "$(completions cooc to)" top
is 'and those that begin alike' "$(completions cooc pa)" 'pair pairs'
is 'and several measures' \
    "$(completions cooc row s.cooc a --measures pmi,ll)" pmi,llr
touch words.txt
is 'and lists' "$(completions cooc within d.cooc wor)" words.txt
is 'and help' "$(completions cooc help met)" methods
is 'and options' "$(completions cooc top s.cooc a --min-c)" --min-count
is 'and measures' "$(completions cooc top s.cooc a --by n)" npmi
is 'and measures behind =' "$(completions cooc pairs --by = ll)" llr
is 'and methods' "$(completions cooc count --method list-)" \
    'list-scan list-blocks list-pairs'
is 'and formats' "$(completions cooc index --format tr)" \
    'trec triples transactions'
is 'and formats of export' "$(completions cooc export --format '')" \
    'tsv csv jsonl raw glove mtx npz sqlite gexf graphml pajek vosviewer gephi-csv'
is 'and stores' "$(completions cooc stats d)" d.cooc
touch 'd file.txt'
is 'and documents' "$(completions cooc index 'd f')" 'd file.txt'
is 'it registers itself' \
    "$(bash --norc -c '. "$1"; complete -p cooc' - \
       "$root$prefix/share/bash-completion/completions/cooc")" \
    'complete -F _cooc cooc'
ended
