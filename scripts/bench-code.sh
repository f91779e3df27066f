#!/bin/bash
# bench-code.sh PROGRAM EXAMPLES: the speed of emitted matrix products beside OpenBLAS and the plain nest, one thread.
# Skipped without AVX-512 or OpenBLAS. OpenBLAS may take a new processor for an old one, so its kernel is chosen here.
set -euo pipefail
program=$1
examples=$2
here=$(cd "$(dirname "$0")" && pwd)
flags=(-mavx512f -mavx512dq -mavx512vl)
grep -q avx512dq /proc/cpuinfo || { echo "bench-code: skipped, the machine has no AVX-512"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OPENBLAS_CORETYPE=SkylakeX OPENBLAS_NUM_THREADS=1

for name in sgemm dgemm sgemm_small; do
    single=
    [ "$name" = dgemm ] || single=-DSINGLE
    "$program" emit "$examples/$name.json" -o "$folder/$name.c" --header "$folder/$name.h"
    "$program" emit --unscheduled "$examples/$name.json" -o "$folder/naive.c" --header "$folder/naive.h"
    for cc in gcc clang; do
        command -v "$cc" > /dev/null || continue
        "$cc" -O2 "${flags[@]}" -c "$folder/$name.c" -o "$folder/$name.o"
        gcc -O3 -march=native "-D$name=naive" -c "$folder/naive.c" -o "$folder/naive.o"
        gcc -O2 "${flags[@]}" $single "-DGEMM=$name" -DNAIVE=naive "$here/bench-gemm.c" "$folder/$name.o" \
            "$folder/naive.o" -o "$folder/run" -lopenblas 2> "$folder/log" ||
            { echo "bench-code: skipped, no OpenBLAS"; exit 0; }
        echo "$name, $cc:"
        "$folder/run"
    done
done
