#!/bin/bash
# bench-code.sh PROGRAM EXAMPLES [WORK..]: the speed of emitted code beside libraries, plain nests and what the
# machine can do, as one table: work, compiler and threads, speed, what it is compared with, the ratio, the goal,
# whether that is met, and how many times as fast as the plain nest (gcc -O3 -march=native) it is. Works: gemm int8
# conv stencil stream (all by default). All that is in a row takes turns for BENCH_SECONDS (0.5); the ratio is the
# median of the turns'. Of several libraries the table has the best one. What a library or an instruction set is
# missing for is left out and told. Where there is no AVX-512, or with BENCH_SIMD=avx2, the examples' variants for AVX2
# are measured, beside the libraries' kernels for it. A library that takes a new processor for an old one, or has faster
# kernels than its choice, is told which to use.
set -euo pipefail
program=$1
examples=$2
shift 2
works=("${@:-gemm int8 conv stencil stream}")
here=$(cd "$(dirname "$0")" && pwd)/bench
if grep -qw avx512dq /proc/cpuinfo && [ "${BENCH_SIMD:-}" != avx2 ]; then
    variant=() simd=(-mavx512f -mavx512dq -mavx512vl) cores=(SkylakeX Cooperlake Haswell Zen)
    export BLIS_ARCH_TYPE=0
elif grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
    variant=(avx2) simd=(-mavx2 -mfma) cores=(Haswell Zen Excavator)
    export ONEDNN_MAX_CPU_ISA=AVX2
    if [ "${BENCH_SIMD:-}" ]; then export BLIS_ARCH_TYPE=3; fi
else
    echo "bench-code: skipped, the machine has no AVX2"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
: > "$folder/rows"
# Idle threads spin for some microseconds, from one parallel part of a call to the next, but not while another library
# computes.
export GOMP_SPINCOUNT=30000 KMP_BLOCKTIME=1 OPENBLAS_THREAD_TIMEOUT=14
compilers=()
for cc in gcc clang; do command -v "$cc" > /dev/null && compilers+=("$cc"); done

# Does clang have a run-time for threads? Otherwise it is measured with one.
clang_threads=1
if echo 'int main(void) { return 0; }' | clang -fopenmp -x c - -o "$folder/threads" 2> "$folder/log"; then
    clang_threads=2
fi

# The cores for which OpenBLAS multiplies fastest here, of those that it knows.
choose_core() {
    local core rate best=0
    gcc -O2 -fopenmp "${simd[@]}" "$here/rate.c" -o "$folder/rate" -lopenblas 2> "$folder/log" || return 0
    for core in "${cores[@]}"; do
        rate=$(OPENBLAS_CORETYPE=$core OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 "$folder/rate") \
            2> "$folder/log" || continue
        [ "$rate" -gt "$best" ] || continue
        best=$rate
        export OPENBLAS_CORETYPE=$core
    done
    echo "OpenBLAS with its kernels for $OPENBLAS_CORETYPE" >&2
}

# objects COMPILER NAME[:VARIANT]..: the examples in $folder/NAME.o, NAME_VARIANT.o, and the plain nest of the first as
# `naive` in $folder/naive.o.
objects() {
    local cc=$1 first=$2 name
    emitted=()
    shift
    for name; do
        local chosen=() file=$examples/${name%:*}.json
        if [ "$name" != "${name%:*}" ]; then
            chosen=("--variant=${name#*:}")
        elif grep -q '"name": "avx2"' "$file"; then
            chosen=("${variant[@]/#/--variant=}")
        fi
        name=${name/:/_}
        "$program" emit "$file" "${chosen[@]}" --name "$name" -o "$folder/$name.c" \
            --header "$folder/$name.h"
        "$cc" -O3 "${simd[@]}" "${openmp[@]}" -c "$folder/$name.c" -o "$folder/$name.o" 2> "$folder/log" \
            || { cat "$folder/log" >&2; exit 1; }
        emitted+=("$folder/$name.o")
    done
    "$program" emit --unscheduled "$examples/$first.json" --name "$first" -o "$folder/naive.c" \
        --header "$folder/naive.h"
    gcc -O3 -march=native "-D$first=naive" -c "$folder/naive.c" -o "$folder/naive.o"
}

# measure "NAME.." SOURCE "WORDS.." ["ARGUMENTS.."]: rows of one and two threads, for each compiler. The harness is
# compiled by the emitted code's compiler, so that there is one run-time for threads in a process.
measure() {
    local cc n
    for cc in "${compilers[@]}"; do
        openmp=(-fopenmp)
        if [ "$cc $clang_threads" = "clang 1" ]; then openmp=(); fi
        # shellcheck disable=SC2086 # words
        objects "$cc" $1
        # shellcheck disable=SC2086 # words
        "$(harness_compiler "$cc")" -O2 -fopenmp "${simd[@]}" -DNAIVE=naive "$here/$2.c" "${emitted[@]}" \
            "$folder/naive.o" -o "$folder/run" $3 2> "$folder/log" \
            || { echo "bench-code: $2 is left out: $(grep -m1 -E 'error|cannot find' "$folder/log")" >&2; return; }
        for n in 1 2; do
            [ "$n $cc $clang_threads" = "2 clang 1" ] && continue
            # shellcheck disable=SC2086 # words
            OMP_NUM_THREADS=$n OPENBLAS_NUM_THREADS=$n BLIS_NUM_THREADS=$n "$folder/run" "$cc, $n" ${4:-} \
                | tee -a "$folder/rows" >&2
        done
    done
}

harness_compiler() {
    if [ "$1 $clang_threads" = "clang 2" ]; then echo clang; else echo gcc; fi
}

gemm() {
    local library letter deep=""
    [ ${#variant[@]} = 0 ] && deep=deep
    for library in openblas blis; do
        for letter in s d; do
            measure "${letter}gemm${deep:+ ${letter}gemm:deep} ${letter}gemm_small ${letter}gemm_unpacked \
                ${letter}gemm_wide ${letter}gemm_thin ${letter}gemv" gemm \
                "${deep:+-DDEEP=${letter}gemm_deep} -DPACKED=${letter}gemm -DSMALL=${letter}gemm_small \
                -DUNPACKED=${letter}gemm_unpacked -DWIDE=${letter}gemm_wide -DTHIN=${letter}gemm_thin \
                -DVECTOR=${letter}gemv $([ $letter = s ] && echo -DSINGLE) -l$library" "$library"
        done
    done
}

# faster FIRST SECOND SOURCE "WORDS": measures both, of which the faster one counts. SECOND is NAME[:VARIANT]; where the
# variants for AVX2 are measured that is avx2_VARIANT, or there is none.
faster() {
    local second=$2
    [ ${#variant[@]} = 0 ] || second=${second/:/:avx2_}
    if [ ${#variant[@]} = 0 ] || grep -q "\"name\": \"${second#*:}\"" "$examples/$1.json"; then
        measure "$1 $second" "$3" "-DEMITTED=$1 -DOTHER=${second/:/_} $4"
    else
        measure "$1" "$3" "-DEMITTED=$1 $4"
    fi
}

conv() {
    faster conv_nhwc conv_nhwc_direct conv "-ldnnl"
    faster conv_nchw conv_nchw_direct conv "-DCHANNELS_FIRST -ldnnl"
}

int8() {
    if [ ${#variant[@]} = 0 ]; then
        grep -qw avx512_vnni /proc/cpuinfo || { echo "bench-code: int8 is left out: no VNNI" >&2; return; }
        simd+=(-mavx512bw -mavx512vnni)
    fi
    if [ ${#variant[@]} = 0 ] && grep -qw amx_int8 /proc/cpuinfo; then
        simd+=(-mamx-tile -mamx-int8)
        measure "int8_gemm int8_gemm_amx" int8 "-DEMITTED=int8_gemm -DOTHER=int8_gemm_amx -ldnnl"
    else
        measure "int8_gemm${variant:+_narrow}" int8 "-DEMITTED=int8_gemm${variant:+_narrow -DWEIGHTS=64} -ldnnl"
    fi
}

stencil() {
    measure "jacobi_2d jacobi_2d_wave" stencil "-DSTENCIL=jacobi_2d -DOTHER=jacobi_2d_wave -DDIMENSIONS=2" "64 2000 1.7"
    measure heat_3d stencil "-DSTENCIL=heat_3d -DDIMENSIONS=3" "16 200 1.3"
}

stream() {
    measure chain stream "-DEMITTED=chain -DCHAIN -lm"
    faster sgemv sgemv:ahead stream "-DSGEMV -lm"
    faster layer_norm layer_norm:rows stream "-DNORM -lm"
    measure softmax_rows stream "-DEMITTED=softmax_rows -DROWS -lm"
    measure transpose stream "-DEMITTED=transpose -DTRANSPOSE -lm"
    measure fir stream "-DEMITTED=fir -DFIR -lm"
}

# The rows as a table. A row that is there several times is about several libraries: the best one counts. Where two
# threads are compared with the plain nest they have to be better than one.
table() {
    echo "| work | compiler, threads | speed | beside | ratio | goal | met | times the plain nest |"
    echo "|---|---|---|---|---|---|---|---|"
    awk -F '\t' '
        function met() { return $6 == 0 ? "" : $5 >= $6 ? "yes" : "no" }
        function alone(label) { sub(/, 2$/, ", 1", label); return label }
        { key = $1 FS $2; one = $1 FS alone($2) }
        $4 == "the plain nest" && one in ratio && $6 < ratio[one] { $6 = ratio[one] }
        !(key in ratio) { order[++n] = key }
        !(key in ratio) || $5 < ratio[key] {
            ratio[key] = $5
            is_met[key] = met()
            row[key] = sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |", $1, $2, $3, $4, $5,
                $6 == 0 ? "" : $6, met(), $7)
        }
        END {
            for (k = 1; k <= n; k++) {
                print row[order[k]]
                goals += is_met[order[k]] != ""
                good += is_met[order[k]] == "yes"
            }
            printf "\n%d of %d goals met\n", good, goals
        }' "$folder/rows"
}

choose_core
# shellcheck disable=SC2068 # words
for work in ${works[@]}; do "$work"; done
table
