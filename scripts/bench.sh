#!/bin/bash
# bench.sh PROGRAM [RUNS]: processor time (user and system) of whole `emit` processes and the most memory they take, as a
# table: medians of interleaved runs, scaled so that the first row, a product with three splits, takes 12.5 ms. Where a
# row has twice as much of something as an earlier one of its series, the last column is the ratio of their times.
set -euo pipefail
program=$(realpath "$1")
runs=${2:-15}
here=$(cd "$(dirname "$0")" && pwd)/bench
# shellcheck source=scripts/bench/descriptions.sh
. "$here/descriptions.sh"
# shellcheck source=scripts/bench/program.sh
. "$here/program.sh"

rows=()
# row TITLE FUNCTION [N]: an N in the title is the number.
row() {
    local title=${1/ N/ ${3:-}}
    "${@:2}" > "$title"
    rows+=("$1|${3:-}|$title")
}

# series TITLE FUNCTION N..
series() {
    local n
    for n in "${@:3}"; do row "$1" "$2" "$n"; done
}

row 'gemm, 3 splits and reorder' gemm
row 'jacobi-2d, tiled' jacobi
row 'three products, fused, tiled' fused
series 'chain of N nests, split' chain 1 4 16 32 64
series 'gemm, split N deep' gemm_deep 1 2 4 5 6 8
series 'gemm, register tile and threads, split N deep' gemm_tile 1 2 4 5 6 8
series 'chain of N nests, compute_at' chain_compute_at 2 4 8 16 32
series 'chain of N nests, fused' chain_fused 8 16 32
series 'nest of N statements, tiled' statements 8 16 32
series 'gemm, tile of N iterations, unrolled' unrolled 16 32 64 128 256 512

for ((run = 0; run < runs; run++)); do
    for row in "${rows[@]}"; do
        title=${row##*|}
        ./usage "$program" emit "$title" >> "$title.runs" || { echo "bench: $title: failed"; exit 1; }
    done
done

for row in "${rows[@]}"; do
    sort -n "${row##*|}.runs" | awk -v row="$row" '
        { time[NR] = $1; if ($2 > memory) memory = $2 }
        END { printf "%s|%d|%d|%d\n", row, time[int((NR + 1) / 2)], time[1], memory }'
done | awk -F'|' -v runs="$runs" '
    NR == 1 { scale = 12.5 / $4; printf "%-48s %8s %8s %6s %8s   (%d runs; 12.5 ms are %.1f here)\n", "emit of",
                  "ms", "least", "MB", "doubled", runs, $4 / 1000 }
    { time[$1, $2] = $4
      before = $2 > 1 && $2 % 2 == 0 && ($1, $2 / 2) in time ? sprintf("%.2f", $4 / time[$1, $2 / 2]) : ""
      printf "%-48s %8.1f %8.1f %6.1f %8s\n", $3, $4 * scale, $5 * scale, $6 / 1024, before }'
