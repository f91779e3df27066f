#!/bin/bash
# bench-code.sh PROGRAM EXAMPLES [WORK..]: the speed of emitted code beside libraries and the plain nests, as a table; one and
# two threads, gcc and clang. Works: gemm int8 conv stencil stream (all by default). What a library or an instruction set is missing
# for is left out and told. Where there is no AVX-512, the examples' variants for AVX2 are measured. A library that takes a
# new processor for an old one, or has faster kernels than its choice, is told which to use.
set -euo pipefail
program=$1
examples=$2
shift 2
works=("${@:-gemm int8 conv stencil stream}")
here=$(cd "$(dirname "$0")" && pwd)/bench
if grep -qw avx512dq /proc/cpuinfo; then
    variant=() simd=(-mavx512f -mavx512dq -mavx512vl) cores=(SkylakeX)
    export BLIS_ARCH_TYPE=0
elif grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
    variant=(avx2) simd=(-mavx2 -mfma) cores=(Haswell Zen Excavator)
else
    echo "bench-code: skipped, the machine has no AVX2"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Idle threads spin for some microseconds, from one parallel part of a call to the next, but not while another library computes.
export GOMP_SPINCOUNT=10000 OPENBLAS_THREAD_TIMEOUT=14
compilers=()
for cc in gcc clang; do command -v "$cc" > /dev/null && compilers+=("$cc"); done

# The cores for which OpenBLAS multiplies fastest here, of those that it knows.
choose_core() {
    local core rate best=0
    gcc -O2 -fopenmp "${simd[@]}" "$here/rate.c" -o "$folder/rate" -lopenblas 2> "$folder/log" || return 0
    for core in "${cores[@]}"; do
        rate=$(OPENBLAS_CORETYPE=$core OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 "$folder/rate")
        [ "$rate" -gt "$best" ] || continue
        best=$rate
        export OPENBLAS_CORETYPE=$core
    done
    echo "OpenBLAS with its kernels for $OPENBLAS_CORETYPE" >&2
}

# emitted NAME COMPILER: the example in $folder/emitted.o, its plain nest as `naive` in $folder/naive.o.
emitted() {
    local openmp=() chosen=()
    if grep -q '"name": "avx2"' "$examples/$1.json"; then chosen=("${variant[@]/#/--variant=}"); fi
    "$program" emit "$examples/$1.json" "${chosen[@]}" --name "$1" -o "$folder/$1.c" --header "$folder/$1.h"
    "$program" emit --unscheduled "$examples/$1.json" -o "$folder/naive.c" --header "$folder/naive.h"
    sed -i "s/#include \"$1.h\"/#include \"naive.h\"/" "$folder/naive.c"
    [ "$2" = gcc ] && openmp=(-fopenmp)
    "$2" -O3 "${simd[@]}" "${openmp[@]}" -c "$folder/$1.c" -o "$folder/emitted.o" 2> "$folder/log" || { cat "$folder/log"; exit 1; }
    gcc -O3 -march=native "-D$1=naive" -c "$folder/naive.c" -o "$folder/naive.o"
}

# harness SOURCE WORDS..: $folder/run, or a line that says why not.
harness() {
    local source=$1
    shift
    gcc -O2 -fopenmp "${simd[@]}" -DNAIVE=naive "$here/$source.c" "$folder/emitted.o" "$folder/naive.o" -o "$folder/run" \
        "$@" 2> "$folder/log" && return
    echo "bench-code: $source is left out: $(grep -m1 -E 'error|cannot find' "$folder/log")" >&2
    return 1
}

# threads LABEL WORDS..: with clang there is one thread, as its run-time for more may be missing.
threads() {
    local n numbers=(1 2)
    [[ "$1" == *clang ]] && numbers=(1)
    for n in "${numbers[@]}"; do
        OMP_NUM_THREADS=$n OPENBLAS_NUM_THREADS=$n BLIS_NUM_THREADS=$n "$folder/run" "$1, $n" "${@:2}"
    done
}

gemm() {
    local name cc single library
    for name in sgemm sgemm_small sgemm_unpacked dgemm dgemm_small dgemm_unpacked; do
        single=()
        [[ "$name" == dgemm* ]] || single=(-DSINGLE)
        for cc in "${compilers[@]}"; do
            emitted "$name" "$cc"
            for library in openblas blis; do
                [ "$cc $library" = "clang blis" ] && continue
                harness gemm "-DGEMM=$name" "${single[@]}" "-l$library" && threads "$name, $cc" "$library"
            done
        done
    done
    for cc in "${compilers[@]}"; do
        emitted sgemv "$cc"
        harness gemm -DGEMM=sgemv -DVECTOR -DSINGLE -lopenblas && threads "sgemv, $cc" openblas
    done
}

conv() {
    local name cc first
    for name in conv_nhwc conv_nchw; do
        first=()
        [ "$name" = conv_nhwc ] || first=(-DCHANNELS_FIRST)
        for cc in "${compilers[@]}"; do
            emitted "$name" "$cc"
            harness conv "-DCONV=$name" "${first[@]}" -ldnnl && threads "$name, $cc"
        done
    done
}

int8() {
    local cc
    if [ ${#variant[@]} = 0 ]; then
        grep -qw avx512_vnni /proc/cpuinfo || { echo "bench-code: int8 is left out: no VNNI" >&2; return; }
        simd+=(-mavx512bw -mavx512vnni)
    fi
    for cc in "${compilers[@]}"; do
        emitted int8_gemm "$cc"
        harness int8 -DEMITTED=int8_gemm -ldnnl && threads "int8_gemm, $cc"
    done
}

stencil() {
    local cc name
    for cc in "${compilers[@]}"; do
        for name in jacobi_2d jacobi_2d_wave heat_3d; do
            emitted "$name" "$cc"
            if [ "$name" = heat_3d ]; then
                harness stencil "-DSTENCIL=$name" -DDIMENSIONS=3 && threads "$name, $cc" 16 200
            else
                harness stencil "-DSTENCIL=$name" -DDIMENSIONS=2 && threads "$name, $cc" 64 2000
            fi
        done
    done
}

stream() {
    local cc name kind
    for cc in "${compilers[@]}"; do
        for kind in "CHAIN chain" "SGEMV sgemv" "ROWS softmax_rows" "NORM layer_norm"; do
            name=${kind#* }
            emitted "$name" "$cc"
            harness stream "-DEMITTED=$name" "-D${kind% *}" -lm && threads "$name, $cc"
        done
    done
}

choose_core
echo "| emitted code, compiler, threads | size | Gop/s | of the peak | library | of the library | times the plain nest |"
echo "|---|---|---|---|---|---|---|"
# shellcheck disable=SC2068 # words
for work in ${works[@]}; do "$work"; done
