#!/bin/bash
# compare-emit.sh BEFORE AFTER [FILE...]: do two builds of the program emit the same bytes and messages for every example
# and every case (or the given files)? Prints the names of those that differ; exit status 1 when there are any.
set -u
before=$(realpath "${1:?}") after=$(realpath "${2:?}")
shift 2
cd "$(dirname "$0")/.." || exit 99
[ $# -gt 0 ] || mapfile -t files < <(find examples -name '*.json'; find tests/cases -name '*.case' | sort)
[ $# -eq 0 ] || files=("$@")
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT

# The description in a case: what comes before its first section, or its section "description".
description() {
    case $1 in
    *.case) awk '/^== /{ on = $2 == "description"; next } NR == 1 { on = 1 } on && !/^#/' "$1" ;;
    *) cat "$1" ;;
    esac
}

# emitted PROGRAM FILE OUT: its output, messages and exit status.
emitted() {
    description "$2" | "$1" emit - > "$3" 2>&1
    echo "status $?" >> "$3"
}

different=0
for file in "${files[@]}"; do
    known=
    [ -z "${EMIT_CACHE:-}" ] || known=$EMIT_CACHE/${file//\//_}
    if [ -z "$known" ] || [ ! -e "$known" ]; then
        emitted "$before" "$file" "${known:-$folder/before}"
    fi
    emitted "$after" "$file" "$folder/after"
    cmp -s "${known:-$folder/before}" "$folder/after" || { echo "$file"; different=$((different + 1)); }
done
echo "${#files[@]} compared, $different different"
[ $different -eq 0 ]
