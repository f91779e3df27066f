# the examples against the oracle, and what their temporaries take
examples = \
	tests/examples/chain.example \
	tests/examples/conv3x3.example \
	tests/examples/conv_nchw.avx2.example \
	tests/examples/conv_nchw.example \
	tests/examples/conv_nhwc.avx2.example \
	tests/examples/conv_nhwc.example \
	tests/examples/conv_nchwc.example \
	tests/examples/cuda_conv.example \
	tests/examples/cuda_conv_naive.example \
	tests/examples/cuda_hgemm.example \
	tests/examples/cuda_histogram.example \
	tests/examples/cuda_histogram_naive.example \
	tests/examples/cuda_jacobi.example \
	tests/examples/cuda_jacobi_naive.example \
	tests/examples/cuda_matmul.example \
	tests/examples/cuda_matmul_naive.example \
	tests/examples/cuda_softmax.example \
	tests/examples/cuda_softmax_naive.example \
	tests/examples/cuda_sum.example \
	tests/examples/cuda_transpose.example \
	tests/examples/cuda_transpose_naive.example \
	tests/examples/cuda_vector_add.example \
	tests/examples/cuda_vector_add_wide.example \
	tests/examples/dgemm.avx2.example \
	tests/examples/dgemm.deep.example \
	tests/examples/dgemm.example \
	tests/examples/dgemm_small.avx2.example \
	tests/examples/dgemm_small.example \
	tests/examples/dgemm_thin.avx2.example \
	tests/examples/dgemm_thin.example \
	tests/examples/dgemm_unpacked.avx2.example \
	tests/examples/dgemm_unpacked.example \
	tests/examples/dgemv.avx2.example \
	tests/examples/dgemv.example \
	tests/examples/energy.example \
	tests/examples/fir.avx2.example \
	tests/examples/fir.example \
	tests/examples/fully_connected.example \
	tests/examples/gemm.example \
	tests/examples/harris.example \
	tests/examples/heat_3d.avx2.example \
	tests/examples/heat_3d.example \
	tests/examples/int8_gemm.avx2.example \
	tests/examples/int8_gemm.example \
	tests/examples/int8_gemm_amx.example \
	tests/examples/jacobi_2d.avx2.example \
	tests/examples/jacobi_2d.example \
	tests/examples/jacobi_2d_wave.avx2.example \
	tests/examples/jacobi_2d_wave.example \
	tests/examples/layer_norm.avx2.example \
	tests/examples/layer_norm.example \
	tests/examples/layer_norm.rows.example \
	tests/examples/mm.example \
	tests/examples/packed_gemm.example \
	tests/examples/sgemm.avx2.example \
	tests/examples/sgemm.deep.example \
	tests/examples/sgemm.example \
	tests/examples/sgemm_small.avx2.example \
	tests/examples/sgemm_small.example \
	tests/examples/sgemm_thin.avx2.example \
	tests/examples/sgemm_thin.example \
	tests/examples/sgemm_unpacked.avx2.example \
	tests/examples/sgemm_unpacked.example \
	tests/examples/sgemv.avx2.example \
	tests/examples/sgemv.example \
	tests/examples/softmax.example \
	tests/examples/softmax_rows.avx2.example \
	tests/examples/softmax_rows.example \
	tests/examples/three_matrices.example \
	tests/examples/tile_gemm.example \
	tests/examples/transpose.example
TEST_EXTENSIONS += .example
EXAMPLE_LOG_COMPILER = $(srcdir)/tests/examples/run-example
TESTS += $(examples)
EXTRA_DIST += $(examples) tests/examples/run-example
