#!/bin/sh
# surroundings_rights.t - umask, other users, read-only places: permission to
# read a store is enough for queries.
. "$(dirname "$0")/../tap.sh"
cp "$DATA/drinks.txt" .
"$COOC" count drinks.txt -o s.cooc -q
"$COOC" index drinks.txt -o i.cooc -q
"$COOC" export s.cooc >want.tsv

# ---- umask

while read -r mask dir file; do
    (umask $mask; "$COOC" count drinks.txt -o um.cooc -q
     "$COOC" add um.cooc drinks.txt -q
     "$COOC" export um.cooc -o um.tsv -q
     "$COOC" export um.cooc --format npz -o um.npz -q
     "$COOC" count drinks.txt -o un.cooc --stats-json um.json -q)
    is "umask $mask applies to the store" "$(stat -c %a um.cooc)" $dir
    is "umask $mask applies to every file" \
        "$(stat -c %a um.cooc/* um.tsv um.npz* um.json | sort -u)" $file
    rm -rf um.*  un.*
done <<'END'
000 777 666
022 755 644
027 750 640
077 700 600
END

# ---- a store that cannot be written

may_ask() # where how command...
{
    where=$1
    how=$2
    shift 2
    ok "a store $how can be queried" "$@" top "$where/s.cooc" tea
    ok "a store $how that is not counted can be queried" \
        "$@" pair "$where/i.cooc" \
        tea milk
    ok "a store $how can be checked" "$@" check -q "$where/s.cooc"
    "$@" export "$where/s.cooc" >got.tsv
    ok "a store $how can be exported" cmp got.tsv want.tsv
}

# The reason is reported before any work, and nothing is left behind.
may_not() # where how reason command...
{
    where=$1
    how=$2
    reason=$3
    shift 3
    before=$(find "$where" | sort)
    for does in "count $where/i.cooc" "count -f $where/s.cooc" \
        "add $where/s.cooc drinks.txt" "index drinks.txt -o $where/n.cooc" \
        "merge $where/s.cooc $where/s.cooc -o $where/n.cooc" \
        "export $where/s.cooc -o $where/n.tsv" \
        "export $where/s.cooc --format npz -o $where/n.npz" \
        "export $where/s.cooc --format sqlite -o $where/n.sqlite"; do
        rc=0
        "$@" $does >"$TAP/out" 2>"$TAP/err" || rc=$?
        is "$how: ${does%% *} is refused" \
            "$rc $(grep -c "^cooc: .*: $reason$" "$TAP/err") \
$(wc -l <"$TAP/err" | tr -d ' ')" '1 1 1'
    done
    is "$how: nothing has changed" "$(find "$where" | sort)" "$before"
}

mkdir shelf
cp -r s.cooc i.cooc shelf
if [ "$(id -u)" -ne 0 ]; then
    chmod -R a-w shelf
    may_ask shelf 'without write permission' "$COOC"
    may_not shelf 'a store without write permission' 'Permission denied' "$COOC"
    chmod -R u+w shelf
    skip 'a store of another user' 'the test does not run as root'
    skip 'a store on a read-only file system' 'the test does not run as root'
    ended
fi

# Another user reads the store of root.
chmod a+x "$TAP" "$(dirname "$TAP")"
nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
if $nobody "$COOC" --version >/dev/null 2>&1 && $nobody test -r shelf; then
    may_ask shelf 'of another user' $nobody "$COOC"
    may_not shelf 'a store of another user' 'Permission denied' $nobody "$COOC"
    mkdir -m 777 own
    $nobody "$COOC" export shelf/s.cooc --format npz -o own/x.npz -q
    is 'an export belongs to the user who makes it' \
        "$(stat -c %u own/x.npz)" 65534
    ok 'stores of another user can be merged' $nobody "$COOC" merge -q \
        shelf/s.cooc shelf/i.cooc -o own/m.cooc
    chmod 700 shelf/s.cooc
    chmod 600 shelf/i.cooc/forward.bin
    rc=0
    $nobody "$COOC" stats shelf/s.cooc 2>err || rc=$?
    is 'a store without read permission is an error' "$rc $(cat err)" \
        '1 cooc: shelf/s.cooc/manifest.json: cannot open: Permission denied'
    rc=0
    $nobody "$COOC" top shelf/i.cooc tea 2>err || rc=$?
    is 'a file of a store without read permission is an error' \
        "$rc $(cat err)" \
        '1 cooc: shelf/i.cooc/forward.bin: cannot open: Permission denied'
    chmod 755 shelf/s.cooc
    chmod 644 shelf/i.cooc/forward.bin

    # In a folder that everybody may write to, with and without the sticky bit.
    other="setpriv --reuid=65533 --regid=65533 --clear-groups"
    for mode in 777 1777; do
        rm -rf shared
        mkdir -m $mode shared
        cp drinks.txt shared
        $nobody "$COOC" count drinks.txt -o shared/s.cooc -q
        for does in "add shared/s.cooc drinks.txt" \
            "index drinks.txt -f -o shared/s.cooc"; do
            rc=0
            $other "$COOC" $does -q 2>err || rc=$?
            is "folder $mode: ${does%% *} of a store of another user is \
refused" "$rc $(cat err)" \
                '1 cooc: shared/s.cooc: cannot replace the store: Permission denied'
        done
        is "folder $mode: nothing is left behind" "$(ls -A shared)" 'drinks.txt
s.cooc'
        ok "folder $mode: the owner of a store can add to it" \
            $nobody "$COOC" add -q \
            shared/s.cooc drinks.txt
        chmod a+w shared/s.cooc
        rc=0
        $other "$COOC" add shared/s.cooc drinks.txt -q 2>err || rc=$?
        case $mode in
        777) want=0 ;;
        *) want='1 cooc: shared/s.cooc: cannot replace the store: Operation not permitted' ;;
        esac
        is "folder $mode: a world-writable store is replaced if the folder \
permits it" "$rc$(sed '/: warning: /d; s/^/ /' err)" "$want"
        is "folder $mode: replacing a store leaves nothing behind" \
            "$(ls -A shared)" \
            'drinks.txt
s.cooc'
        rm -rf shared/s.cooc
        $nobody "$COOC" index drinks.txt -o shared/s.cooc -q
        $other mkdir shared/s.cooc.part
        $other cp shared/s.cooc/terms.bin shared/s.cooc.part
        rc=0
        $nobody "$COOC" add shared/s.cooc drinks.txt -q 2>err || rc=$?
        is "folder $mode: an unfinished store of another user is \
named" "$rc $(cut -d';' -f1 err)" "1 cooc: shared/s.cooc.part: already \
exists and belongs to another user (uid 65533), perhaps left by an interrupted \
command"
    done
else
    skip 'a store of another user' 'the user nobody cannot run cooc'
fi

# A read-only medium, also for root.
mkdir medium
mounted() # command...
{
    unshare -m sh -c 'mount -t tmpfs none medium &&
        cp -r s.cooc i.cooc medium && mount -o remount,ro medium &&
        exec "$@"' sh "$@"
}
if mounted test -d medium/s.cooc 2>/dev/null; then
    may_ask medium 'on a read-only medium' mounted "$COOC"
    may_not medium 'a read-only medium' 'Read-only file system' mounted \
        "$COOC"
    ok 'an export from a read-only medium is written elsewhere' \
        mounted "$COOC" \
        merge -q medium/s.cooc medium/i.cooc -o both.cooc
else
    skip 'a store on a read-only medium' 'a file system cannot be mounted here'
fi
ended
