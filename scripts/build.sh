#!/bin/sh
# build.sh FOLDER [configure options]: configures FOLDER with these options, unless it has them already, and builds; what
# was built with others, or with other variables that configure takes, is made anew.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
shift
options="$*${CC:+ CC=$CC}${CFLAGS:+ CFLAGS=$CFLAGS}${CPPFLAGS:+ CPPFLAGS=$CPPFLAGS}${LDFLAGS:+ LDFLAGS=$LDFLAGS}"
options=$options${PKG_CONFIG_PATH:+ PKG_CONFIG_PATH=$PKG_CONFIG_PATH}
cd "$top"
{ [ -x configure ] && [ ! configure.ac -nt configure ]; } || ./autogen.sh
mkdir -p "$folder"
cd "$folder"
if [ ! -e Makefile ] || [ ! -e configured-with ] || [ "$(cat configured-with)" != "$options" ]; then
    "$top/configure" "$@"
    make -s clean
    echo "$options" > configured-with
fi
make -j"$(nproc)"
