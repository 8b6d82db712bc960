#!/bin/bash
# mpi.sh - count a collection with the ranks of an MPI job.
#
# Set the values below, then run: bash mpi.sh
# If it stops, run it again: what is finished is kept.  Under Slurm, put these
# lines into a job script, without HOSTS: mpirun then uses the nodes of the job.
set -euo pipefail

# ---- what to set ----------------------------------------------------------
INPUTS=(/shared/letters)        # files or folders, seen by all hosts
STORE=/shared/letters.cooc      # the store to make, seen by all hosts
HOSTS=(--hostfile /shared/hosts)        # a file: one host name per line
CORES=16                        # per host
MEMORY=40G                      # per host
OPTIONS=()                      # such as (--stem english --min-df 5)
# ---------------------------------------------------------------------------

RUN=(mpirun "${HOSTS[@]}" --map-by node --bind-to none cooc-mpi)
HOW=(--threads "$CORES" --memory "$MEMORY")

if [ ! -e "$STORE" ] || [ -e "$STORE/counting.json" ]; then
    "${RUN[@]}" count "${INPUTS[@]}" "${OPTIONS[@]}" "${HOW[@]}" -o "$STORE"
elif [[ $(cooc stats "$STORE") != *distinct_pairs* ]]; then
    "${RUN[@]}" count "$STORE" "${HOW[@]}"
fi
cooc check "$STORE"
