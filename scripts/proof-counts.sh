#!/bin/bash
# proof-counts.sh PROGRAM [-v] [FILE...]: of how many statements, and elements that they load and store, of all examples
# and cases (or the given files) the finished tree is proved at all sizes (--dump=proof), and why not of the others.
# -v: also a line for each statement of which it is not.
set -u
program=$(realpath "${1:?}") verbose=
shift
[ "${1:-}" != -v ] || { verbose=1; shift; }
cd "$(dirname "$0")/.." || exit 99
files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(find examples tests/cases -name '*.json' -o -name '*.case' | sort)

# The description in a case: what comes before its first section, or its section "description".
description() {
    case $1 in
    *.case) awk '/^== /{ on = $2 == "description"; next } NR == 1 { on = 1 } on && !/^#/' "$1" ;;
    *) cat "$1" ;;
    esac
}

for file in "${files[@]}"; do
    description "$file" | "$program" emit - --dump=proof 2> /dev/null | sed "s|^|$file: |"
done | awk -v verbose="$verbose" '
    # A line: FILE: LABEL: instances at all|sampled sizes (WHY); N of M elements at all sizes (WHY)
    function why(part) { return match(part, /\(.*\)/) ? substr(part, RSTART + 1, RLENGTH - 2) : "" }
    / of [0-9]+ elements at all sizes/ {
        split($0, part, ";")
        n++
        if (part[1] ~ /at sampled sizes/) open["instances: " why(part[1])]++; else shown++
        split(part[2], word, " ")
        elements += word[3]
        all_shown += word[1]
        if (word[1] < word[3]) open["elements: " why(part[2])] += word[3] - word[1]
        missing = part[1] ~ /at sampled sizes/ || word[1] < word[3]
        split(part[3], word, " ")
        values += word[3]
        if (verbose && (missing || word[1] < word[3])) print
        flowing += word[1]
        if (word[1] < word[3]) open["values: " why(part[3])] += word[3] - word[1]
    }
    END {
        printf "%d of %d statements, %d of %d elements", shown, n, all_shown, elements
        if (values) printf ", %d of %d values", flowing, values
        print " at all sizes"
        for (reason in open) printf "%6d %s\n", open[reason], reason | "sort -k1,1nr -k2"
    }'
