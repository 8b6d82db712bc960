#!/bin/bash
# slurm.sh - count a collection on a Slurm cluster with job arrays.
#
# Set the values below, then run on the login node: bash slurm.sh
# It submits four jobs, each of which waits for the one before, and ends.
# If a task fails or is cancelled, the jobs that wait for it are cancelled: run
# the script again.  Finished parts are kept.  docs/CLUSTER.md explains the
# steps.
set -euo pipefail

# ---- what to set ----------------------------------------------------------
INPUTS=(/shared/letters)        # files or folders, seen by all nodes
STORE=/shared/letters.cooc      # the store to make, seen by all nodes
PARTS=64                        # tasks per job array
CORES=8                         # per task
MEMORY=16G                      # per task, for cooc; a little less than --mem
SBATCH=(--mem=20G --time=24:00:00)      # also account, partition ...
OPTIONS=()                      # of cooc index, such as (--stem english)
FILTERS=()                      # of cooc merge, such as (--min-df 5)
# ---------------------------------------------------------------------------

HOW=(--quiet --threads "$CORES" --memory "$MEMORY")
I=${SLURM_ARRAY_TASK_ID-}
counted() { [[ $(cooc stats "$STORE") == *distinct_pairs* ]]; }

case ${1-submit} in
submit)
    submit() { # step options...
        sbatch --parsable --kill-on-invalid-dep=yes --job-name="cooc-$1" \
            --cpus-per-task="$CORES" --output="$STORE.parts/$1-%a.log" \
            "${SBATCH[@]}" "${@:2}" "$0" "$1"
    }
    mkdir -p "$STORE.parts"
    id=$(submit index --array=1-"$PARTS")
    id=$(submit merge --dependency=afterok:"$id")
    id=$(submit count --array=1-"$PARTS" --dependency=afterok:"$id")
    id=$(submit finish --dependency=afterok:"$id")
    echo "The last job is $id.  To watch: squeue --me"
    echo "Log files, until the store is complete: $STORE.parts/"
    ;;
index)
    [ -e "$STORE" ] || [ -e "$STORE.parts/$I.cooc" ] ||
        cooc index "${HOW[@]}" "${INPUTS[@]}" "${OPTIONS[@]}" \
            --part "$I/$PARTS" -o "$STORE.parts/$I.cooc"
    ;;
merge)
    [ -e "$STORE" ] ||
        cooc merge "${HOW[@]}" "$STORE.parts"/*.cooc "${FILTERS[@]}" \
            -o "$STORE"
    ;;
count)
    counted || cooc count "${HOW[@]}" "$STORE" --part "$I/$PARTS"
    ;;
finish)
    counted || cooc count "${HOW[@]}" "$STORE"  # and complete the store
    cooc check "$STORE"
    rm -rf "$STORE.parts"
    ;;
esac
