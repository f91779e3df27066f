#!/bin/bash
# bench-gpu.sh PROGRAM EXAMPLES [build]: the speed of emitted kernels on the machine's GPU: the matrix products beside
# cuBLAS (where that is installed), transposition and jacobi-2d beside a copy of as many bytes. Skipped without a GPU or
# nvcc; with `build` the programs are built, for sm_90 unless DEVICE_ARCH says otherwise, and not run.
set -euo pipefail
program=$1
examples=$2
here=$(cd "$(dirname "$0")" && pwd)
only=${3:-}
if [ "$only" = build ]; then
    : "${DEVICE_ARCH:=-arch=sm_90}"
else
    nvidia-smi -L > /dev/null 2>&1 || { echo "bench-gpu: skipped, no GPU here"; exit 0; }
fi
command -v "${NVCC:=nvcc}" > /dev/null || { echo "bench-gpu: skipped, no nvcc"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The matrix product of f16 as one of bf16.
sed 's/"f16"/"bf16"/; s/"hgemm"/"bgemm"/' "$examples/cuda_hgemm.json" > "$folder/bgemm.json"
"$program" emit "$folder/bgemm.json" -o "$folder/bgemm.cu" --header "$folder/bgemm.h"
sources=("$folder/bgemm.cu")
for name in hgemm matmul matmul_naive transpose transpose_naive jacobi jacobi_naive; do
    "$program" emit "$examples/cuda_$name.json" -o "$folder/$name.cu" --header "$folder/$name.h"
    sources+=("$folder/$name.cu")
done
blas=()
echo '#include <cublas_v2.h>' > "$folder/probe.cu"
if "$NVCC" -c "$folder/probe.cu" -o "$folder/probe.o" 2> /dev/null; then blas=(-DCUBLAS -lcublas); fi
"$NVCC" -O3 "${DEVICE_ARCH:--arch=native}" -I"$folder" "$here/bench-gpu.cu" "${sources[@]}" "${blas[@]}" -o "$folder/run"
if [ "$only" = build ]; then echo "bench-gpu: built${blas[*]:+ with cuBLAS}"; else "$folder/run"; fi
