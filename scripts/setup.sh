#!/bin/sh
# setup.sh build | test: installs what is missing for building, or for building and testing, on Debian or Ubuntu.
# Where everything is there, nothing is asked of the network or of root. Exit status: 3 where something is missing that is
# needed; the message tells what gives it. What only some tests want may be missing.
set -eu

# package, names of it in spack and conda, and the command that succeeds when it is there
needed='
gcc          gcc       gcc         command -v ${CC:-gcc}
libc6-dev    -         -           compiles_c
make         gmake     make        command -v make
autoconf     autoconf  autoconf    command -v autoreconf
automake     automake  automake    command -v automake
libtool      libtool   libtool     command -v libtoolize
pkg-config   pkgconf   pkg-config  command -v pkg-config
libisl-dev   isl       isl         pkg-config --exists isl>=0.24
libgmp-dev   gmp       gmp         has_library gmp>=6 gmp.h gmp
libcjson-dev cjson     cjson       has_library libcjson>=1.7 cjson/cJSON.h cjson
'
needed_for_tests='
binutils     binutils  binutils    command -v objdump
check        check     check       pkg-config --exists check>=0.15
'
wanted_for_tests='
g++          gcc       gxx         command -v ${POLYNEST_TEST_CXX:-g++}
clang        llvm      clang       command -v clang
libclang-rt-dev llvm   compiler-rt clang_builds -fsanitize=address
libomp-dev   llvm      llvm-openmp clang_builds -fopenmp
'

compiles_c() { printf '#include <stdio.h>\nint main(void) { return 0; }\n' | ${CC:-gcc} -x c - -o /dev/null; }

# has_library MODULE HEADER NAME: pkg-config knows it, or the compiler finds it, if only beside isl.
has_library() {
    beside=$(pkg-config --variable=prefix isl || true)
    pkg-config --exists "$1" || printf '#include <stdio.h>\n#include <%s>\nint main(void) { return 0; }\n' "$2" |
        ${CC:-gcc} ${CPPFLAGS:-} ${beside:+"-I$beside/include"} -x c - ${LDFLAGS:-} ${beside:+"-L$beside/lib"} "-l$3" -o /dev/null
}

clang_builds() {
    { [ "$1" != -fopenmp ] || echo '#include <omp.h>'; echo 'int main(void) { return 0; }'; } | clang "$1" -x c - -o /dev/null
}

# Of a list the lines whose command fails; field 1, 2 or 3 of them.
missing() {
    echo "$1" | while read -r package spack conda present; do
        if [ -n "$package" ] && ! eval "$(echo "$present" | sed 's/>=/" >= "/')" > /dev/null 2>&1; then
            case $2 in
            1) echo "$package" ;;
            2) echo "$spack" ;;
            3) echo "$conda" ;;
            esac
        fi
    done | sort -u | grep -vx -e - | xargs
}

may_be_root() {
    [ "$(id -u)" = 0 ] && return
    command -v sudo > /dev/null && { sudo -n true 2> /dev/null || [ -t 0 ]; }
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

install_packages() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >&2
}

# Installs packages where that is possible.
try_to_install() {
    command -v apt-get > /dev/null && may_be_root || return
    echo "setup: installing $*" >&2
    install_packages "$@" || { as_root apt-get update >&2 && install_packages "$@"; }
}

# The words of a compiler that is there and builds nothing: headers may be missing, or it is broken.
compiler_fault() {
    compiler=${CC:-gcc}
    command -v "${compiler%% *}" > /dev/null || return 0
    words=$(compiles_c 2>&1 > /dev/null) || echo "  $compiler is there, but does not build a program: $(echo "$words" | head -n 3)"
}

# explain PACKAGES, spack's names, conda's names
explain() {
    echo "setup: missing: $1" >&2
    compiler_fault >&2
    cat >&2 << END
  with root, on Debian or Ubuntu:  apt-get install $1
  without root, one of
    spack install ${2:-gcc} && spack load ${2:-gcc}
    conda install -c conda-forge ${3:-gcc}    (in an environment of yours, which is active then)
    isl (0.24 or newer), GMP and cJSON from their sources with --prefix=DIR, then  ./quickstart --prefix=DIR
  Libraries elsewhere are found by PKG_CONFIG_PATH, the folders of their isl.pc and gmp.pc:
    PKG_CONFIG_PATH=DIR/lib/pkgconfig ./run-tests
END
}

# require LIST: it is there, or comes.
require() {
    packages=$(missing "$1" 1)
    [ -n "$packages" ] || return 0
    # shellcheck disable=SC2086 # a list of words
    try_to_install $packages || true
    packages=$(missing "$1" 1)
    [ -z "$packages" ] || { explain "$packages" "$(missing "$1" 2)" "$(missing "$1" 3)"; exit 3; }
}

# want LIST: it comes where that is possible.
want() {
    packages=$(missing "$1" 1)
    [ -n "$packages" ] || return 0
    # shellcheck disable=SC2086 # a list of words
    try_to_install $packages || true
    packages=$(missing "$1" 1)
    [ -z "$packages" ] || echo "setup: not there: $packages; what depends on it is skipped" >&2
}

if [ "${1:-build}" = test ]; then
    require "$needed$needed_for_tests"
    want "$wanted_for_tests"
else
    require "$needed"
fi
