#!/bin/bash
# bench.sh PROGRAM [RUNS]: the time of whole `emit` processes, medians of interleaved runs, as a table.
set -euo pipefail
program=$1
runs=${2:-15}
# In a build tree the program is libtool's shell script: what counts is the program behind it.
built=$(dirname "$program")/.libs
if [ -x "$built/$(basename "$program")" ]; then
    program=$built/$(basename "$program")
    export LD_LIBRARY_PATH=$built${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

gemm() {
    cat <<'END'
{"polynest": 1, "name": "gemm", "params": ["M", "N", "K"], "assume": ["M >= 1", "N >= 1", "K >= 1"],
 "arrays": [{"name": "A", "role": "in", "type": "f32", "shape": ["M", "K"]},
            {"name": "B", "role": "in", "type": "f32", "shape": ["K", "N"]},
            {"name": "C", "role": "inout", "type": "f32", "shape": ["M", "N"]}],
 "nests": [{"name": "mm", "loops": ["i < M", "j < N", "k < K"], "body": ["C[i, j] += A[i, k] * B[k, j]"]}],
 "schedule": [{"split": "i", "by": 32}, {"split": "j", "by": 32}, {"split": "k", "by": 32},
              {"reorder": ["i", "j", "k", "ii", "jj", "kk"]}]}
END
}

jacobi() {
    cat <<'END'
{"polynest": 1, "name": "jacobi", "params": ["T", "N"], "assume": ["T >= 0", "N >= 3"],
 "arrays": [{"name": "A", "role": "inout", "type": "f64", "shape": ["N", "N"]},
            {"name": "B", "role": "inout", "type": "f64", "shape": ["N", "N"]}],
 "nests": [{"name": "j2d", "loops": ["t < T"], "body": [
   {"loops": ["1 <= i < N - 1", "1 <= j < N - 1"],
    "body": ["S: B[i, j] = 0.2 * (A[i, j] + A[i, j - 1] + A[i, j + 1] + A[i + 1, j] + A[i - 1, j])"]},
   {"loops": ["1 <= i < N - 1", "1 <= j < N - 1"],
    "body": ["R: A[i, j] = 0.2 * (B[i, j] + B[i, j - 1] + B[i, j + 1] + B[i + 1, j] + B[i - 1, j])"]}]}],
 "schedule": [{"tile": {"S.i": 32, "S.j": 32}, "as": {"S.i": "si", "S.j": "sj"}},
              {"tile": {"R.i": 32, "R.j": 32}, "as": {"R.i": "ri", "R.j": "rj"}}]}
END
}

# Two products of a product, fused and tiled: what took the originals seconds.
fused() {
    cat <<'END'
{"polynest": 1, "name": "fused", "params": ["M", "N", "K", "L"],
 "arrays": [{"name": "A", "role": "in", "type": "f32", "shape": ["M", "K"]},
            {"name": "B", "role": "in", "type": "f32", "shape": ["K", "L"]},
            {"name": "C", "role": "inout", "type": "f32", "shape": ["M", "L"]},
            {"name": "D", "role": "in", "type": "f32", "shape": ["L", "N"]},
            {"name": "E", "role": "inout", "type": "f32", "shape": ["M", "N"]},
            {"name": "F", "role": "inout", "type": "f32", "shape": ["M", "N"]}],
 "nests": [{"name": "s0", "loops": ["i < M", "j < L", "k < K"], "body": ["C[i, j] += A[i, k] * B[k, j]"]},
           {"name": "s1", "loops": ["i1 < M", "k1 < L", "j1 < N"], "body": ["E[i1, j1] += C[i1, k1] * D[k1, j1]"]},
           {"name": "s2", "loops": ["i2 < M", "k2 < L", "j2 < N"], "body": ["F[i2, j2] += C[i2, k2] * D[k2, j2]"]}],
 "schedule": [{"fuse": ["s0", "s1", "s2"], "partial": 2},
              {"tile": {"i": 16, "j": 16, "k": 32, "j1": 32, "j2": 32}},
              {"reorder": ["i", "j", "f", "k", "j1", "j2", "ii", "jj", "kk", "j1_1", "j2_1"]}]}
END
}

# A chain of N smoothing statements, each in its own nest, each split.
chain() {
    local n=$1 k
    printf '{"polynest": 1, "name": "chain", "params": ["N"], "assume": ["N >= 200"],\n "arrays": ['
    for ((k = 0; k <= n; k++)); do
        printf '%s{"name": "A%d", "role": "inout", "type": "f32", "shape": ["N"]}' "$( ((k)) && echo ,)" "$k"
    done
    printf '],\n "nests": ['
    for ((k = 1; k <= n; k++)); do
        printf '%s{"name": "n%d", "loops": ["1 <= i < N - 1"], ' "$( ((k > 1)) && echo ,)" "$k"
        printf '"body": ["A%d[i] = A%d[i - 1] + A%d[i] + A%d[i + 1]"]}\n' "$k" $((k - 1)) $((k - 1)) $((k - 1))
    done
    printf '],\n "schedule": ['
    for ((k = 1; k <= n; k++)); do
        printf '%s{"split": "n%d.i", "by": 32, "as": "ii%d"}' "$( ((k > 1)) && echo ,)" "$k" "$k"
    done
    printf ']}\n'
}

gemm > 'gemm, 3 splits + reorder'
jacobi > 'jacobi-2d, tiled'
fused > 'three products, fused, tiled'
for n in 1 4 16 20 64; do
    chain "$n" > "chain of $n statements"
done

cases=('gemm, 3 splits + reorder' 'jacobi-2d, tiled' 'three products, fused, tiled' 'chain of 20 statements'
    'chain of 1 statements'
    'chain of 4 statements' 'chain of 16 statements' 'chain of 64 statements')
for ((run = 0; run < runs; run++)); do
    for case in "${cases[@]}"; do
        start=${EPOCHREALTIME/[.,]/}
        "$program" emit - < "$case" > /dev/null || { echo "bench: $case: failed"; exit 1; }
        echo $((${EPOCHREALTIME/[.,]/} - start)) >> "$case.times"
    done
done

printf '%-30s %10s %10s   (ms, %d runs)\n' "emit of" median least "$runs"
for case in "${cases[@]}"; do
    sort -n "$case.times" | awk -v name="$case" '{ t[NR] = $1 }
        END { printf "%-30s %10.1f %10.1f\n", name, t[int((NR + 1) / 2)] / 1000, t[1] / 1000 }'
done
