#!/bin/sh
# build.sh FOLDER [configure options]: configures FOLDER with these options, unless it has them already, and builds; what
# was built with others is made anew.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
shift
cd "$top"
[ -x configure ] || ./autogen.sh
mkdir -p "$folder"
cd "$folder"
if [ ! -e Makefile ] || [ ! -e configured-with ] || [ "$(cat configured-with)" != "$*" ]; then
    "$top/configure" "$@"
    make -s clean
    echo "$*" > configured-with
fi
make -j"$(nproc)"
