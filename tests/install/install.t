#!/usr/bin/env bash
# What is installed serves a stranger: program, library, manual, completion.
set -uo pipefail
n=0
ok() # name command...
{
    local name=$1
    shift
    n=$((n + 1))
    if "$@" >"$TMPDIR/out" 2>&1; then
        echo "ok $n - $name"
    else
        echo "not ok $n - $name"
        sed 's/^/# /' "$TMPDIR/out"
    fi
}

root=$TMPDIR/root
prefix=$(meson introspect --buildoptions "$BUILD" | python3 -c '
import json, sys
print(next(o["value"] for o in json.load(sys.stdin) if o["name"] == "prefix"))')
there=$root$prefix
printf 'a\tblue sky\nb\tblue sea\nc\tblue sky\n' >"$TMPDIR/in.tsv"

ok "everything installs below DESTDIR" \
    meson install -C "$BUILD" --no-rebuild --destdir "$root"
ok "the installed program counts" \
    "$there/bin/cooc" count "$TMPDIR/in.tsv" -o "$TMPDIR/in.cooc"
ok "the manual page is there" test -s "$there/share/man/man1/cooc.1"
ok "the completion loads in bash" bash -c \
    '. "$1" && complete -p cooc' - "$there/share/bash-completion/completions/cooc"

libdir=$(dirname "$(find "$there" -name libcooc.so)")
ok "shared and static library are there" \
    test -s "$libdir/libcooc.so" -a -s "$libdir/libcooc.a"
export PKG_CONFIG_PATH=$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
ok "a program builds with pkg-config" bash -c \
    'cc "$1" -o "$2" $(pkg-config --cflags --libs cooc)' - \
    "$SRC/examples/tiny.c" "$TMPDIR/tiny"
ok "and finds the shared library" bash -c \
    'LD_LIBRARY_PATH=$1 ldd "$2" | grep "libcooc.*=> $1/"' - \
    "$libdir" "$TMPDIR/tiny"
echo "1..$n"
