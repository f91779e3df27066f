#!/bin/sh
# setup.sh build | test: installs what is missing for building, or for building and testing, on Debian or Ubuntu.
# Where everything is there, nothing is asked of the network or of root.
set -eu

# package, and the command that succeeds when it is there
build_packages='
gcc         command -v gcc
libc6-dev   test -e /usr/include/stdio.h
make        command -v make
autoconf    command -v autoreconf
automake    command -v automake
libtool     command -v libtoolize
pkg-config  command -v pkg-config
libisl-dev  pkg-config --exists isl
libgmp-dev  pkg-config --exists gmp
libcjson-dev pkg-config --exists libcjson
'
test_packages='
check       pkg-config --exists check
clang       command -v clang
libclang-rt-dev clang_sanitizes
'

clang_sanitizes() {
    echo 'int main(void) { return 0; }' | clang -fsanitize=address -x c -o /dev/null -
}

missing_packages() {
    while read -r package present; do
        if [ -n "$package" ] && ! $present >/dev/null 2>&1; then
            echo "$package"
        fi
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "setup: this needs root or sudo: $*" >&2
        return 1
    fi
}

install_packages() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >&2
}

packages=$build_packages
if [ "${1:-build}" = test ]; then
    packages=$build_packages$test_packages
fi
missing=$(echo "$packages" | missing_packages)
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "setup: please install: $(echo "$missing" | xargs)" >&2
    exit 3
fi
echo "setup: installing $(echo "$missing" | xargs)" >&2
# shellcheck disable=SC2086 # a list of words
install_packages $missing || {
    as_root apt-get update >&2
    install_packages $missing
}
