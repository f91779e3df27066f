#!/bin/bash
# bench-emit.sh PROGRAM EXAMPLES [RUNS]: what emitting each example takes beside what its compiler takes for the emitted
# file (gcc -O3 or nvcc -O3), as a table of processor time: medians of interleaved runs, and the most memory emission
# takes. The last column is the ratio to `gcc -O3` of a file that does not change (scripts/bench/fixed.c). Files of
# languages whose compiler is missing have no ratio.
set -euo pipefail
program=$(realpath "$1")
examples=$(realpath "$2")
runs=${3:-5}
here=$(cd "$(dirname "$0")" && pwd)/bench
# shellcheck source=scripts/bench/program.sh
. "$here/program.sh"
sets=(-mavx2 -mfma -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx512vnni -mamx-tile -mamx-int8)
nvcc=$(command -v "${NVCC:-nvcc}" || command -v /usr/local/cuda/bin/nvcc || true)

# compile FILE: prints what its compiler takes, or nothing where there is none.
compile() {
    case $1 in
    *.c) ./usage gcc -O3 -fopenmp "${sets[@]}" -c "$1" -o out.o ;;
    *.cu) [ -z "$nvcc" ] || ./usage "$nvcc" -O3 -arch="$(grep -o -m1 'sm_[0-9]*' "$1" || echo sm_80)" -c "$1" -o out.o ;;
    esac
}

files=()
for file in "$examples"/*.json "$examples"/polybench/*.json; do
    name=$(basename "$file" .json)
    [ "$(dirname "$file")" = "$examples" ] || name=polybench/$name
    mkdir -p "$name"
    case $(sed -n 's/.*"language": *"\([a-z]*\)".*/\1/p' "$file" | head -1) in
    cuda) suffix=cu ;;
    hip) suffix=hip ;;
    *) suffix=c ;;
    esac
    (cd "$name" && "$program" emit "$file" -o "emitted.$suffix" --header "$(basename "$name").h" 2> log) \
        || { cat "$name/log" >&2; exit 1; }
    files+=("$name $file $name/emitted.$suffix")
done

for ((run = 0; run < runs; run++)); do
    compile "$here/fixed.c" >> fixed
    for row in "${files[@]}"; do
        read -r name file emitted <<< "$row"
        ./usage "$program" emit "$file" >> "$name/emit" 2> log
        # nvcc takes its time; its runs differ little.
        if [ "$run" -eq 0 ] || [ "${emitted##*.}" = c ]; then compile "$emitted" >> "$name/compile"; fi
    done
done

# median FILE: milliseconds of processor time.
median() {
    sort -n "$1" | awk '{ t[NR] = $1 } END { if (NR) printf "%.1f", t[int((NR + 1) / 2)] / 1000; else printf "-" }'
}

fixed=$(median fixed)
for row in "${files[@]}"; do
    read -r name _ emitted <<< "$row"
    echo "$name $(median "$name/emit") $(median "$name/compile") $(awk '$2 > m { m = $2 } END { print m }' "$name/emit")"
done | awk -v fixed="$fixed" '
    { printf "%s %.1f %s %s %.2f %.1f\n", $1, $2, $3, $3 == "-" ? "-" : sprintf("%.3f", $2 / $3), $2 / fixed, $4 / 1024 }' |
    sort -k4,4nr > table
printf '%-32s %8s %10s %8s %8s %8s   (processor time, %d runs; %s ms for the fixed file)\n' "emit of" ms compiler ratio \
    fixed MB "$runs" "$fixed"
awk '{ printf "%-32s %8s %10s %8s %8s %8s\n", $1, $2, $3, $4, $5, $6 }' table
awk '$4 != "-" { print $4 }' table | sort -n | awk '{ r[NR] = $1; if ($1 > .5) over++ }
    END { printf "median ratio %.3f, largest %.3f, %d of %d above 0.5\n", r[int((NR + 1) / 2)], r[NR], over, NR }'
