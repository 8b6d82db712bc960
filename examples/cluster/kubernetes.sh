#!/bin/bash
# kubernetes.sh - run the jobs of kubernetes.yaml, each after the one before.
#
# Set the values in kubernetes.yaml, then run: bash kubernetes.sh
# If it stops, run it again: finished parts are kept.  docs/CLUSTER.md explains
# the steps.  To watch: kubectl get pods; kubectl logs job/cooc-count
set -euo pipefail
cd "$(dirname "$0")"

kubectl apply -f kubernetes.yaml -l step=settings
for step in index merge count finish; do
    kubectl delete job "cooc-$step" --ignore-not-found
    kubectl apply -f kubernetes.yaml -l step="$step"
    until kubectl wait job "cooc-$step" --for=condition=complete \
        --timeout=60s 2>/dev/null; do
        if kubectl wait job "cooc-$step" --for=condition=failed --timeout=0 \
            2>/dev/null; then
            echo "failed; see: kubectl logs job/cooc-$step" >&2
            exit 1
        fi
    done
done
