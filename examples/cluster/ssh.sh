#!/bin/bash
# ssh.sh - count a collection on several machines with nothing but ssh.
#
# Set the values below, then run: bash ssh.sh
# If it stops, run it again: finished parts are kept.  docs/CLUSTER.md explains
# the steps.  "ssh HOST true" must work without a password.
set -euo pipefail

# ---- what to set ----------------------------------------------------------
INPUTS=(/shared/letters)        # files or folders, seen by all machines
STORE=/shared/letters.cooc      # the store to make, seen by all machines
PARTS=64                        # at least 4 per machine
HOSTS=(node1 node2 node3)       # the machines
OPTIONS=()                      # of cooc index, such as (--stem english)
FILTERS=()                      # of cooc merge, such as (--min-df 5)
# ---------------------------------------------------------------------------

# Run a command for each part, {}: host h of H does parts h, h + H, h + 2 H ...
# A part that fails is tried three times.
parts() # command
{
    local h pids=() failed=0
    for h in "${!HOSTS[@]}"; do
        one_host "$h" "$1" &
        pids+=($!)
    done
    for h in "${!HOSTS[@]}"; do
        wait "${pids[h]}" || failed=1
    done
    [ $failed = 0 ] || { echo "run this script again" >&2; exit 1; }
}

one_host() # number command
{
    local i try status=0
    for ((i = $1 + 1; i <= PARTS; i += ${#HOSTS[@]})); do
        for try in 1 2 3; do
            ssh -n "${HOSTS[$1]}" "${2//\{\}/$i}" && continue 2
        done
        echo "part $i failed on ${HOSTS[$1]}" >&2
        status=1
    done
    return $status
}

PART=${STORE@Q}.parts/{}.cooc
mkdir -p "$STORE.parts"
if [ ! -e "$STORE" ]; then
    parts "[ -e $PART ] || cooc index --quiet ${INPUTS[*]@Q} \
        ${OPTIONS[*]@Q} --part {}/$PARTS -o $PART"
    cooc merge "$STORE.parts"/*.cooc "${FILTERS[@]}" -o "$STORE"
fi
if [[ $(cooc stats "$STORE") != *distinct_pairs* ]]; then
    parts "cooc count --quiet ${STORE@Q} --part {}/$PARTS"
    cooc count "$STORE"         # count what is missing, complete the store
fi
cooc check "$STORE"
rm -r "$STORE.parts"
