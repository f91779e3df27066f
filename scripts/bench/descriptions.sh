# Descriptions whose emission is measured, each printed by a function.
# shellcheck shell=bash disable=SC2034 # sourced

gemm_head() {
    cat <<'END'
{"polynest": 1, "name": "gemm", "params": ["M", "N", "K"], "assume": ["M >= 1", "N >= 1", "K >= 1"],
 "permit": ["contract"],
 "arrays": [{"name": "A", "role": "in", "type": "f32", "shape": ["M", "K"]},
            {"name": "B", "role": "in", "type": "f32", "shape": ["K", "N"]},
            {"name": "C", "role": "inout", "type": "f32", "shape": ["M", "N"]}],
 "nests": [{"name": "mm", "loops": ["i < M", "j < N", "k < K"], "body": ["C[i, j] += A[i, k] * B[k, j]"]}],
END
}

gemm() {
    gemm_head
    cat <<'END'
 "schedule": [{"split": "i", "by": 32}, {"split": "j", "by": 32}, {"split": "k", "by": 32},
              {"reorder": ["i", "j", "k", "ii", "jj", "kk"]}]}
END
}

# Splits of a loop N levels deep, the innermost part of two iterations.
splits() {
    local loop=$1 n=$2 k part=$1
    for ((k = 1; k <= n; k++)); do
        printf '{"split": "%s", "by": %d, "as": "%s_%d"}, ' "$part" $((1 << (n - k + 1))) "$loop" "$k"
        part=${loop}_$k
    done
}

# The loops of all levels, outermost first.
levels() {
    local k
    printf '"i", "j", "k"'
    for ((k = 1; k <= $1; k++)); do printf ', "i_%d", "j_%d", "k_%d"' "$k" "$k" "$k"; done
}

gemm_deep() {
    gemm_head
    printf ' "schedule": [%s%s%s{"reorder": [%s]}]}\n' \
        "$(splits i "$1")" "$(splits j "$1")" "$(splits k "$1")" "$(levels "$1")"
}

# The same around a tile of 4 x 2 vectors in registers, in threads.
gemm_tile() {
    gemm_head
    cat <<END
 "schedule": [{"split": "j", "by": 16, "as": "v"}, {"split": "j", "by": 2, "as": "jj"}, {"split": "i", "by": 4, "as": "ii"},
              $(splits i "$1")$(splits j "$1")$(splits k "$1")
              {"reorder": [$(levels "$1"), "ii", "jj", "v"]}],
 "plan": [{"cache": "C", "at": "k_$1", "as": "acc", "memory": "register"},
          {"kernelize": {"unroll": ["ii", "jj"], "vectorize": "v"}}, {"parallelize": ["i"]}],
 "target": {"simd": "avx512", "openmp": true}}
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

# join SEPARATOR WORD..: the words with it in between.
join() {
    local separator=$1 first=$2
    shift 2
    printf '%s' "$first" "${@/#/$separator}"
}

# Arrays A0 .. AN: the roles of the first, the others and the last.
chain_arrays() {
    local n=$1 k role
    for ((k = 0; k <= n; k++)); do
        role=$3
        [ "$k" -gt 0 ] || role=$2
        [ "$k" -lt "$n" ] || role=$4
        printf '{"name": "A%d", "role": "%s", "type": "f32", "shape": ["N"]}' "$k" "$role"
        [ "$k" -eq "$n" ] || printf ', '
    done
}

# A chain of N smoothing statements, each in its own nest; the last argument is its schedule.
smoothing() {
    local n=$1 k nests=()
    for ((k = 1; k <= n; k++)); do
        nests+=("{\"name\": \"n$k\", \"loops\": [\"$k <= i < N - $k\"],
  \"body\": [\"A${k}[i] = A$((k - 1))[i - 1] + A$((k - 1))[i] + A$((k - 1))[i + 1]\"]}")
    done
    printf '{"polynest": 1, "name": "chain", "params": ["N"], "assume": ["N >= 200"],\n "arrays": [%s],\n' \
        "$(chain_arrays "$n" in "$2" inout)"
    printf ' "nests": [%s],\n "schedule": [%s]}\n' "$(join ', ' "${nests[@]}")" "$3"
}

chain() {
    local n=$1 k steps=()
    for ((k = 1; k <= n; k++)); do steps+=("{\"split\": \"n$k.i\", \"by\": 32, \"as\": \"ii$k\"}"); done
    smoothing "$n" inout "$(join ', ' "${steps[@]}")"
}

chain_compute_at() {
    local n=$1 k steps=()
    steps=("{\"split\": \"n$n.i\", \"by\": 32, \"as\": \"ii\"}")
    for ((k = n - 1; k > 0; k--)); do steps+=("{\"compute_at\": \"A$k\", \"loop\": \"n$n.i\"}"); done
    smoothing "$n" temp "$(join ', ' "${steps[@]}")"
}

# A chain of N element-wise nests, fused and split.
chain_fused() {
    local n=$1 k nests=() names=()
    for ((k = 1; k <= n; k++)); do
        nests+=("{\"name\": \"n$k\", \"loops\": [\"i < N\"], \"body\": [\"A${k}[i] = 2 * A$((k - 1))[i] + 1\"]}")
        names+=("\"n$k\"")
    done
    printf '{"polynest": 1, "name": "chain", "params": ["N"],\n "arrays": [%s],\n "nests": [%s],\n' \
        "$(chain_arrays "$n" in out out)" "$(join ', ' "${nests[@]}")"
    printf ' "schedule": [{"fuse": [%s]}, {"split": "i", "by": 32}]}\n' "$(join ', ' "${names[@]}")"
}

# N statements in one tiled nest.
statements() {
    local n=$1 k arrays=() body=()
    for ((k = 0; k < n; k++)); do
        arrays+=("{\"name\": \"B$k\", \"role\": \"out\", \"type\": \"f32\", \"shape\": [\"N\", \"N\"]}")
        body+=("\"B${k}[i, j] = $((k + 1)) * A[i, j]\"")
    done
    printf '{"polynest": 1, "name": "many", "params": ["N"],\n "arrays": [%s, %s],\n' \
        '{"name": "A", "role": "in", "type": "f32", "shape": ["N", "N"]}' "$(join ', ' "${arrays[@]}")"
    printf ' "nests": [{"name": "n", "loops": ["i < N", "j < N"], "body": [%s]}],\n' "$(join ', ' "${body[@]}")"
    printf ' "schedule": [{"tile": {"i": 32, "j": 32}}]}\n'
}

# A product of tiles of 4 by N / 4, all N iterations of them unrolled.
unrolled() {
    gemm_head
    cat <<END
 "schedule": [{"tile": {"i": 4, "j": $(($1 / 4))}, "as": {"i": "ii", "j": "jj"}},
              {"reorder": ["i", "j", "k", "ii", "jj"]}],
 "plan": [{"cache": "C", "at": "k", "as": "acc"}, {"unroll": "ii"}, {"unroll": "jj"}]}
END
}
