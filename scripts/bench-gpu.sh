#!/bin/bash
# bench-gpu.sh PROGRAM EXAMPLES [build]: the speed of emitted kernels on the machine's GPU: the matrix products beside
# cuBLAS (where that is installed; CUBLAS=folder says where its include and lib are, if not beside nvcc's), transposition
# and jacobi-2d beside a copy of as many bytes. Skipped without a GPU or nvcc; with `build` the programs are built, for
# sm_90 unless DEVICE_ARCH says otherwise, and not run.
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

# emitted NAME FILE [OPTION..]: the function NAME of an example.
emitted() {
    local name=$1 file=$2
    shift 2
    "$program" emit "$examples/$file.json" --name "$name" "$@" -o "$folder/$name.cu" --header "$folder/$name.h"
    sources+=("$folder/$name.cu")
}
for name in hgemm matmul matmul_naive transpose transpose_naive transpose_wide jacobi jacobi_naive; do
    emitted "$name" "cuda_$name"
done
emitted matmul_32 cuda_matmul --set depth=32
emitted matmul_8 cuda_matmul --set depth=8
emitted jacobi_shared cuda_jacobi --variant shared

blas=()
echo '#include <cublas_v2.h>' > "$folder/probe.cu"
[ -z "${CUBLAS:-}" ] || blas=(-I"$CUBLAS/include" -L"$CUBLAS/lib" -Xlinker -rpath="$CUBLAS/lib")
if "$NVCC" "${blas[@]}" "$folder/probe.cu" -lcublas -shared -Xcompiler -fPIC -o "$folder/probe.so" 2> /dev/null; then
    blas+=(-DCUBLAS -lcublas)
else
    blas=()
fi
"$NVCC" -O3 "${DEVICE_ARCH:--arch=native}" -I"$folder" "$here/bench-gpu.cu" "${sources[@]}" "${blas[@]}" -o "$folder/run"
if [ "$only" = build ]; then echo "bench-gpu: built${blas[*]:+ with cuBLAS}"; else "$folder/run"; fi
