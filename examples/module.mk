# the examples: descriptions, and the programs that run what they emit
EXTRA_DIST += \
	examples/chain.json \
	examples/conv3x3.json \
	examples/conv_nchw.json \
	examples/conv_nhwc.json \
	examples/conv_nchwc.json \
	examples/cuda_jacobi.json \
	examples/cuda_matmul.json \
	examples/cuda_transpose.json \
	examples/cuda_vector_add.json \
	examples/dgemm.json \
	examples/energy.json \
	examples/fir.json \
	examples/fully_connected.json \
	examples/gemm.json \
	examples/gemm_main.c \
	examples/harris.json \
	examples/heat_3d.json \
	examples/int8_gemm.json \
	examples/jacobi_2d.json \
	examples/jacobi_2d_wave.json \
	examples/layer_norm.json \
	examples/mm.json \
	examples/packed_gemm.json \
	examples/sgemm.json \
	examples/sgemm_small.json \
	examples/sgemv.json \
	examples/softmax.json \
	examples/softmax_rows.json \
	examples/three_matrices.json \
	examples/tile_gemm.json \
	examples/transpose.json
