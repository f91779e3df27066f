# the examples: descriptions, and the programs that run what they emit
EXTRA_DIST += \
	examples/energy.json \
	examples/fully_connected.json \
	examples/gemm.json \
	examples/gemm_main.c \
	examples/harris.json \
	examples/mm.json \
	examples/softmax.json \
	examples/three_matrices.json
