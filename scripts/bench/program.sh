# `. scripts/bench/program.sh`, with $program and $here: the program to measure, and ./usage in a folder of its own.
# shellcheck shell=bash

# In a build tree the program is libtool's shell script: what counts is the program behind it.
built=$(dirname "$program")/.libs
if [ -x "$built/$(basename "$program")" ]; then
    program=$built/$(basename "$program")
    export LD_LIBRARY_PATH=$built${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"${CC:-cc}" -O1 "$here/usage.c" -o usage
