#!/bin/sh
# bench-tutorial.sh PROGRAM EXAMPLES: the steps of the tutorial in doc/manual/gemm.md, each measured against the naive loops:
# M = N = K = 1000, gcc -O3, AVX2, one thread; the least processor time of three runs. Step 10, on all cores, is measured against step 9 by
# the clock, in turn; the median of five.
set -eu
program=$1
examples=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
naive=
for step in 1 2 3 4 5 6 7 8 9; do
    variant=
    [ $step = 1 ] || variant="--variant step$step"
    # shellcheck disable=SC2086 # two words
    "$program" emit "$examples/gemm_steps.json" $variant --name gemm -o "$folder/gemm.c"
    ${CC:-gcc} -O3 -mavx2 -mfma -I"$folder" "$folder/gemm.c" "$here/bench/tutorial.c" -o "$folder/bench" -lm
    seconds=$("$folder/bench")
    naive=${naive:-$seconds}
    echo "$step $naive $seconds" | awk '{ printf "step %2d  %7.1f GFLOP/s  %6.1f times the naive loops\n", $1, 2 / $3, $2 / $3 }'
done
for step in 9 10; do
    "$program" emit "$examples/gemm_steps.json" --variant step$step --name gemm -o "$folder/gemm.c"
    ${CC:-gcc} -O3 -mavx2 -mfma -fopenmp -I"$folder" "$folder/gemm.c" "$here/bench/tutorial.c" -o "$folder/bench$step" -lm
done
for _ in 1 2 3 4 5; do
    echo "$("$folder/bench9") $("$folder/bench10")"
done | awk '{ print $1 / $2 }' | sort -n | awk -v cores="$(nproc)" 'NR == 3 { printf "step 10 %.2f times step 9, on %d cores\n", $1, cores }'
