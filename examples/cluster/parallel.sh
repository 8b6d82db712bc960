#!/bin/bash
# parallel.sh - count a collection on several machines with GNU parallel.
#
# Set the values below, then run: bash parallel.sh
# If it stops, run it again: finished parts are kept.  docs/CLUSTER.md explains
# the steps.
set -euo pipefail

# ---- what to set ----------------------------------------------------------
INPUTS=(/shared/letters)        # files or folders, seen by all machines
STORE=/shared/letters.cooc      # the store to make, seen by all machines
PARTS=64                        # at least 4 per machine
HOSTS=/shared/hosts             # a file: one host name per line, ":" is this one
OPTIONS=()                      # of cooc index, such as (--stem english)
FILTERS=()                      # of cooc merge, such as (--min-df 5)
# ---------------------------------------------------------------------------

# Run a command for each part, {}, on one machine after the other: one part per
# machine at a time, because cooc uses all of its cores.  A part that fails is
# tried on two more machines.
parts() # step command
{
    parallel --sshloginfile "$HOSTS" --jobs 1 --retries 3 \
        --joblog "$STORE.parts/$1.log" "$2" ::: $(seq "$PARTS")
}

PART=${STORE@Q}.parts/{}.cooc
mkdir -p "$STORE.parts"
if [ ! -e "$STORE" ]; then
    parts index "[ -e $PART ] || cooc index --quiet ${INPUTS[*]@Q} \
        ${OPTIONS[*]@Q} --part {}/$PARTS -o $PART"
    cooc merge "$STORE.parts"/*.cooc "${FILTERS[@]}" -o "$STORE"
fi
if [[ $(cooc stats "$STORE") != *distinct_pairs* ]]; then
    parts count "cooc count --quiet ${STORE@Q} --part {}/$PARTS"
    cooc count "$STORE"         # count what is missing, complete the store
fi
cooc check "$STORE"
rm -r "$STORE.parts"
