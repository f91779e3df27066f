#!/bin/sh
# Makes ./configure from configure.ac; for a checkout, a release has it.
set -eu
cd "$(dirname "$0")"
mkdir -p m4 build-aux
autoreconf --install --force
