# tap.sh - functions for tests in sh.  Use:
#
#     . "$(dirname "$0")/../tap.sh"
#     gives 'a pair is counted' export s.cooc <<'END'     # exact output
#     ...
#     END
#     refuses 1 'a missing store is named' stats none.cooc <<'END'
#     cooc: none.cooc: cannot open the store: No such file or directory
#     END
#     ended
#
# tests/run sets COOC, BUILD, SRC and TMPDIR; without it they have defaults.
# Each test runs in its own empty directory.

set -u
SRC=${SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
BUILD=${BUILD:-$SRC/build}
COOC=${COOC:-$BUILD/cooc}
DATA=$SRC/tests/data
LC_ALL=${LC_ALL:-C.UTF-8}
TMPDIR=${TMPDIR:-/tmp}
export SRC BUILD COOC DATA LC_ALL
TAP=$(mktemp -d "$TMPDIR/cli.XXXXXX") || exit 1
TMPDIR=$TAP/tmp
export TMPDIR
mkdir "$TMPDIR" "$TAP/work"
cd "$TAP/work" || exit 1
trap 'chmod -R u+rwx "$TAP"; rm -rf "$TAP"' EXIT
tests=0
failures=0

pass() # name
{
    tests=$((tests + 1))
    echo "ok $tests - $1"
}

fail() # name [file...]: print the files
{
    tests=$((tests + 1))
    failures=$((failures + 1))
    echo "not ok $tests - $1"
    shift
    [ $# -eq 0 ] || cat "$@" | sed 's/^/# /'
}

skip() # name why
{
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
}

# The test passes if the command succeeds.
ok() # name command...
{
    ok_name=$1
    shift
    if "$@" >"$TAP/ok" 2>&1; then pass "$ok_name"
    else fail "$ok_name" "$TAP/ok"; fi
}

not_ok() # name command...
{
    ok_name=$1
    shift
    if "$@" >"$TAP/ok" 2>&1; then fail "$ok_name" "$TAP/ok"
    else pass "$ok_name"; fi
}

is() # name got want
{
    if [ "$2" = "$3" ]; then pass "$1"; return; fi
    printf 'got:    %s\nwanted: %s\n' "$2" "$3" >"$TAP/is"
    fail "$1" "$TAP/is"
}

# The manifest of a store without the note of how files were read.
described() # store
{
    sed -e '/^  "reading": {$/,/^  },$/d' -e '/^  "checksum"/d' \
        "$1/manifest.json"
}

# Whether two stores are identical, except for that note.
same_documents() # store store
{
    diff -r -x manifest.json "$1" "$2" || return
    described "$1" >"$TAP/described"
    described "$2" | diff "$TAP/described" -
}

# Run cooc: $rc, $TAP/out and $TAP/err.
run() # arguments...
{
    rc=0
    "$COOC" "$@" >"$TAP/out" 2>"$TAP/err" || rc=$?
}

# Hide times and rates, which differ in each run, and the last digits of
# numbers, which depend on libm.
mask()
{
    sed -E 's/^(seconds.*|.*_per_second|bytes_on_disk|rules)	.*/\1	~/; s/(\.[0-9]{10})[0-9]+/\1/g'
}

# Remove the estimate of a count and what lines are from standard error.
drop_news()
{
    sed -i '/^cooc: .* increments\{0,1\} to count; about .* free$/d
            /^cooc: .*: each line is a document; /d' "$TAP/err"
}

# cooc succeeds and prints exactly the standard input of gives.  Standard error
# is empty except for such news.
gives() # name arguments...
{
    name=$1
    shift
    mask >"$TAP/want"
    run "$@" </dev/null
    mask <"$TAP/out" >"$TAP/got"
    drop_news
    if diff "$TAP/want" "$TAP/got" >"$TAP/diff" && [ $rc -eq 0 ] &&
       [ ! -s "$TAP/err" ]; then pass "$name"
    else
        echo "exit status $rc" >>"$TAP/diff"
        fail "$name" "$TAP/diff" "$TAP/err"
    fi
}

# cooc prints only the message on the standard input of refuses and exits with
# the status.
refuses() # status name arguments...
{
    status=$1
    name=$2
    shift 2
    cat >"$TAP/want"
    run "$@" </dev/null
    drop_news
    if diff "$TAP/want" "$TAP/err" >"$TAP/diff" && [ $rc -eq "$status" ] &&
       [ ! -s "$TAP/out" ]; then pass "$name"
    else
        echo "exit status $rc, wanted $status" >>"$TAP/diff"
        fail "$name" "$TAP/diff" "$TAP/out"
    fi
}

# One value of the last run's report.
field() # name
{
    sed -n "s/^$1	//p" "$TAP/out"
}

# Count with the options and print the pairs as lines such as "a b 2".
pairs_of() # index arguments...
{
    rm -rf p.cooc
    run count "$@" -o p.cooc
    [ $rc -eq 0 ] || { cat "$TAP/err"; return 1; }
    "$COOC" export p.cooc | sed 1d | cut -f1-3 | tr '\t' ' '
}

ended()
{
    echo "1..$tests"
    [ $failures -eq 0 ]
    exit
}
