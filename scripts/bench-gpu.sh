#!/bin/bash
# bench-gpu.sh PROGRAM EXAMPLES: the speed of emitted kernels on the machine's GPU: the matrix product beside cuBLAS (where
# that is installed), transposition and jacobi-2d beside a copy of as many bytes. Skipped without a GPU or nvcc.
set -euo pipefail
program=$1
examples=$2
here=$(cd "$(dirname "$0")" && pwd)
nvidia-smi -L > /dev/null 2>&1 || { echo "bench-gpu: skipped, no GPU here"; exit 0; }
command -v "${NVCC:=nvcc}" > /dev/null || { echo "bench-gpu: skipped, no nvcc"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sources=()

for name in matmul matmul_naive transpose transpose_naive jacobi jacobi_naive; do
    "$program" emit "$examples/cuda_$name.json" -o "$folder/$name.cu" --header "$folder/$name.h"
    sources+=("$folder/$name.cu")
done
blas=()
echo '#include <cublas_v2.h>' > "$folder/probe.cu"
if "$NVCC" -c "$folder/probe.cu" -o "$folder/probe.o" 2> /dev/null; then blas=(-DCUBLAS -lcublas); fi
"$NVCC" -O3 "${DEVICE_ARCH:--arch=native}" -I"$folder" "$here/bench-gpu.cu" "${sources[@]}" "${blas[@]}" -o "$folder/run"
"$folder/run"
