#!/bin/bash
# bench-polybench.sh PROGRAM EXAMPLES [KERNEL..]: how many times as fast as the plain nest (gcc -O3 -march=native) the
# kernels of PolyBench are with the steps that `polynest auto` proposes, on one and two threads, as one table; sizes are
# such that the plain nest runs some tenths of a second. Both run in turn, BENCH_ROUNDS (3) times; medians. Steps in
# BENCH_STEPS/KERNEL.json are measured instead where that folder has them. BENCH_SET is the instruction set.
# With BENCH_RIVALS=1, what compilers make of the plain nest follows, on two threads, as times of the same gcc -O3:
# clang -O3, gcc with Graphite, and clang with Polly, the last two with threads and with leave to reorder sums or not,
# whichever is faster.
set -euo pipefail
program=$(realpath "$1")
examples=$(realpath "$2")/polybench
shift 2
here=$(cd "$(dirname "$0")" && pwd)/bench
set=${BENCH_SET:-$(grep -qw avx512dq /proc/cpuinfo && echo avx512 || echo avx2)}
folder=${BENCH_FOLDER:-$(mktemp -d)}
[ "${BENCH_FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo "{\"target\": {\"language\": \"c\", \"simd\": \"$set\", \"openmp\": true}}" > target.json
export GOMP_SPINCOUNT=30000

declare -A sizes=(
    [2mm]="ni=800 nj=800 nk=800 nl=800 alpha=1.5 beta=1.2" [3mm]="ni=800 nj=800 nk=800 nl=800 nm=800"
    [adi]="n=500 tsteps=40" [atax]="m=5000 n=5000" [bicg]="m=5000 n=5000" [cholesky]="n=1500"
    [correlation]="m=800 n=900 float_n=900" [covariance]="m=800 n=900 float_n=900" [deriche]="h=2160 w=4096 alpha=0.25"
    [doitgen]="np=160 nq=100 nr=100" [durbin]="n=8000" [fdtd-2d]="nx=1000 ny=1200 tmax=100"
    [floyd-warshall]="n=900" [gemm]="ni=1000 nj=1100 nk=1200 alpha=1.5 beta=1.2" [gemver]="n=4000 alpha=1.5 beta=1.2"
    [gesummv]="n=5000 alpha=1.5 beta=1.2" [gramschmidt]="m=600 n=700" [heat-3d]="n=120 tsteps=60"
    [jacobi-1d]="n=400000 tsteps=500" [jacobi-2d]="n=1300 tsteps=100" [lu]="n=1000" [ludcmp]="n=1000" [mvt]="n=5000"
    [nussinov]="n=1200" [seidel-2d]="n=1000 tsteps=40" [symm]="m=700 n=800 alpha=1.5 beta=1.2"
    [syr2k]="m=800 n=900 alpha=1.5 beta=1.2" [syrk]="m=1000 n=1200 alpha=1.5 beta=1.2" [trisolv]="n=8000"
    [trmm]="m=800 n=900 alpha=1.5")

# The steps to measure, as steps.json.
steps() {
    if [ -e "${BENCH_STEPS:-/nowhere}/$1.json" ]; then
        cp "$BENCH_STEPS/$1.json" steps.json
    else
        "$program" auto --replace --schedule target.json "$examples/$1.json" -o steps.json
    fi
}

# rival COMPILER FLAG..: how many times as fast the plain nest by that compiler is; - where it cannot be had, "fails"
# where the program ends with a fault.
rival() {
    if "$@" -march=native -c rival.c -o rival.o 2> rival.log &&
        gcc -O3 -march=native -mprefer-vector-width=512 -fopenmp -I "$here" -I . plain.c kernel.c "$here/polybench.c" \
            rival.o -o rival -lm 2>> rival.log; then
        OMP_NUM_THREADS=2 ./rival "${BENCH_ROUNDS:-3}" > rival.times 2>> rival.log || [ -s rival.times ] || echo fails
        cut -d' ' -f3 rival.times
    else
        echo -
    fi
}

# better COMPILER FLAG..: the better one of a rival with and without -ffast-math.
better() {
    { rival "$@"; rival "$@" -ffast-math; } | sort -g | tail -1
}

# rivals KERNEL: the rivals' columns of a row.
rivals() {
    "$program" emit --unscheduled "$examples/$1.json" --name automatic -o rival.c || return 1
    echo " | $(rival clang -O3)" \
        "| $(better gcc -O3 -fgraphite-identity -floop-nest-optimize -floop-parallelize-all -ftree-parallelize-loops=2)" \
        "| $(better clang -O3 -mllvm -polly -mllvm -polly-parallel -mllvm -polly-vectorizer=stripmine)"
}

# measure KERNEL: a row of the table.
measure() {
    local name=$1 n row
    steps "$name" || return 1
    "$program" emit --unscheduled "$examples/$name.json" --name plain -o plain.c || return 1
    "$program" emit --schedule steps.json "$examples/$name.json" --name automatic -o auto.c || return 1
    "$program" fmt - < "$examples/$name.json" | awk -v sizes="${sizes[$name]}" -f "$here/polybench.awk" > kernel.c
    gcc -O3 -march=native -mprefer-vector-width=512 -fopenmp -I "$here" -I . plain.c auto.c kernel.c "$here/polybench.c" \
        -o run -lm || return 1
    row="| $name | $(grep -c '^    *{"' steps.json)"
    for n in 1 2; do
        row+=" | $(OMP_NUM_THREADS=$n ./run "${BENCH_ROUNDS:-3}" | sed 's/ / | /g')"
    done
    [ -z "${BENCH_RIVALS:-}" ] || row+=$(rivals "$name")
    echo "$row |"
}

heads=" clang | Graphite | Polly |"
echo "| kernel | steps | plain, s | auto, s | times | results | plain, s | auto, 2 threads | times | results |" \
    "${BENCH_RIVALS:+$heads}"
echo "|---|---|---|---|---|---|---|---|---|---|${BENCH_RIVALS:+---|---|---|}"
mapfile -t kernels < <(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else printf '%s\n' "${!sizes[@]}" | sort; fi)
for name in "${kernels[@]}"; do
    measure "$name" || echo "| $name | fails |"
done
