#!/bin/bash
# abi.t - programs compiled against earlier headers run with this library.
#
# tests/abi/VERSION/ holds the headers of each released minor version.  Within
# 0.1, structs that begin with their size may get more fields at their end;
# nothing else about a struct or a constant may change.
. "$(dirname "$0")/../tap.sh"
if ! command -v cc >/dev/null; then
    skip 'a program with earlier headers runs' 'cc is not installed'
    ended
fi
case $(meson introspect --buildoptions "$BUILD" 2>/dev/null | python3 -c "
import json, sys
print(next((o['value'] for o in json.load(sys.stdin)
            if o['name'] == 'b_sanitize'), ''))") in
none | '') flags= ;;
*) flags='-fsanitize=address,undefined -fno-omit-frame-pointer' ;;
esac
minor=$(sed -n 's/^#define COOC_VERSION "\([0-9]*\.[0-9]*\).*/\1/p' \
    "$SRC/include/cooc.h")
frozen=$SRC/tests/abi/$minor
headers='cooc.h cooc_build.h cooc_bulk.h cooc_export.h'

# ---- the same layout

layout() # include directory
{
    (cd "$1" && python3 "$SRC/tests/abi/layout.py" $headers) >layout.c &&
        cc -I"$1" layout.c -o layout && ./layout
}
layout "$frozen" >before
layout "$SRC/include" >now
ok 'the frozen headers describe structs' test "$(wc -l <before)" -gt 200
is 'no field has moved and no constant has changed' \
    "$(grep -vxFf now before)" ''

# ---- the same results

build_and_run() # include directory
{
    rm -rf run && mkdir run &&
        cc $flags -I"$1" "$SRC/tests/abi/old_program.c" -o run/program \
            -L"$BUILD" -lcooc -Wl,-rpath,"$BUILD" && cd run && ./program
}
cat >want <<'END'
4 documents, 10 pairs, 11 increments
tea: 4 partners, sum 11, 10 entries
193 bytes of tsv, 10 cells, sum 11
callbacks: yes
END
(build_and_run "$frozen") >got 2>&1
is 'a program with the headers of this version runs' $? 0
ok 'a program with the headers of this version gets its results' diff got want

# Headers as they were before the last field of each sized struct was added.
mkdir older
for h in $headers; do
    python3 - "$frozen/$h" >"older/$h" <<'END'
import re, sys

def shorter(match):
    """The struct without its last field, if it has more than one."""
    fields = re.findall(r"[^;]*;", match[2])
    if len(fields) < 3 or "size_t size;" not in fields[0]:
        return match[0]
    return match[1] + "".join(fields[:-1]) + "\n};"

text = re.sub(r"/\*.*?\*/", "", open(sys.argv[1]).read(), flags=re.S)
print(re.sub(r"(struct \w+ \{)(.*?)\n\};", shorter, text, flags=re.S))
END
done
layout "$PWD/older" >older.layout
ok 'older headers have fewer fields' \
    test "$(wc -l <older.layout)" -le "$(($(wc -l <before) - 15))"
sed '/->\(watch = watch\|warning = warning\|count = c\|merge = m\);/d' \
    "$SRC/tests/abi/old_program.c" >older.c
sed -i 's/callbacks: yes/callbacks: no/' want
(rm -rf run && mkdir run &&
    cc $flags -Iolder older.c -o run/program -L"$BUILD" -lcooc \
        -Wl,-rpath,"$BUILD" && cd run && ./program) >got 2>&1
is 'a program that knows fewer fields runs' $? 0
ok 'a program that knows fewer fields gets the same results' diff got want
ended
