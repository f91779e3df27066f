#!/bin/bash
# proof-share.sh BUILD [FILE...]: what share of the processor's time of `polynest emit` the verifier and the last proofs
# take, for each example (or the given descriptions): a line each, largest share first, and the sum. BUILD: a build folder.
# The program is linked again with clocks (proof-share.c) around their entry points. RUNS (default 3): the fastest counts.
set -u
export LC_ALL=C
build=$(realpath "${1:?}") runs=${RUNS:-3}
shift
cd "$(dirname "$0")/.." || exit 99
files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(find examples -name '*.json' | sort)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

made() { sed -n "s/^$1 = //p" "$build/Makefile"; }
entries=$(grep -oE '^WRAPPED\([A-Z_]+, [^,]*, [a-z_]+' scripts/proof-share.c | grep -oE '[a-z_]+$')
# shellcheck disable=SC2046,SC2086
$(made CC) $(made CFLAGS) -w -std=gnu11 -Isrc -Iinclude -I"$build" scripts/proof-share.c $(printf -- '-Wl,--wrap=%s ' $entries) \
    "$build"/src/cli/*.o "$build/.libs/libpolynest.a" $(made ISL_LIBS) $(made CJSON_LIBS) $(made GMP_LIBS) $(made LIBS) -o "$work/polynest" || exit 99

for file in "${files[@]}"; do
    for ((run = 0; run < runs; run++)); do
        "$work/polynest" emit "$file" 2>&1 > "$work/out" | sed -n "s|^clocks|$file|p"
    done | sort -k3,3g | head -1
done | awk '
    {
        proofs = 0
        detail = ""
        for (k = 4; k < NF; k += 2) {
            proofs += $(k + 1)
            if ($(k + 1) >= 0.05 * $3) detail = detail sprintf(" %s %.1f", $k, 100 * $(k + 1) / $3)
        }
        printf "%6.1f %% of %8.1f ms  %s: %s\n", 100 * proofs / $3, 1000 * $3, $1, detail
        n++
        over += proofs * 3 > $3
        sum += proofs
        all += $3
    }
    END { printf "%6.1f %% of %8.1f ms  all %d, %d of them above a third\n", 100 * sum / all, 1000 * all, n, over }' |
    sort -k6,6 -s | sort -s -k1,1gr
