# kernels of PolyBench/C 4.2.1 against outputs captured from the original programs
kernels = \
	tests/polybench/2mm.kernel \
	tests/polybench/3mm.kernel \
	tests/polybench/adi.kernel \
	tests/polybench/atax.kernel \
	tests/polybench/bicg.kernel \
	tests/polybench/cholesky.kernel \
	tests/polybench/correlation.kernel \
	tests/polybench/covariance.kernel \
	tests/polybench/deriche.kernel \
	tests/polybench/doitgen.kernel \
	tests/polybench/durbin.kernel \
	tests/polybench/fdtd-2d.kernel \
	tests/polybench/floyd-warshall.kernel \
	tests/polybench/gemm.kernel \
	tests/polybench/gemver.kernel \
	tests/polybench/gesummv.kernel \
	tests/polybench/gramschmidt.kernel \
	tests/polybench/heat-3d.kernel \
	tests/polybench/jacobi-1d.kernel \
	tests/polybench/jacobi-2d.kernel \
	tests/polybench/lu.kernel \
	tests/polybench/ludcmp.kernel \
	tests/polybench/mvt.kernel \
	tests/polybench/nussinov.kernel \
	tests/polybench/seidel-2d.kernel \
	tests/polybench/symm.kernel \
	tests/polybench/syr2k.kernel \
	tests/polybench/syrk.kernel \
	tests/polybench/trisolv.kernel \
	tests/polybench/trmm.kernel
TEST_EXTENSIONS += .kernel
KERNEL_LOG_COMPILER = $(srcdir)/tests/polybench/run-kernel
TESTS += $(kernels)
EXTRA_DIST += $(kernels) tests/polybench/run-kernel \
	tests/polybench/2mm.in.bin tests/polybench/2mm.out.bin examples/polybench/2mm.json \
	tests/polybench/3mm.in.bin tests/polybench/3mm.out.bin examples/polybench/3mm.json \
	tests/polybench/adi.in.bin tests/polybench/adi.out.bin examples/polybench/adi.json \
	tests/polybench/atax.in.bin tests/polybench/atax.out.bin examples/polybench/atax.json \
	tests/polybench/bicg.in.bin tests/polybench/bicg.out.bin examples/polybench/bicg.json \
	tests/polybench/cholesky.in.bin tests/polybench/cholesky.out.bin examples/polybench/cholesky.json \
	tests/polybench/correlation.in.bin tests/polybench/correlation.out.bin examples/polybench/correlation.json \
	tests/polybench/covariance.in.bin tests/polybench/covariance.out.bin examples/polybench/covariance.json \
	tests/polybench/deriche.in.bin tests/polybench/deriche.out.bin examples/polybench/deriche.json \
	tests/polybench/doitgen.in.bin tests/polybench/doitgen.out.bin examples/polybench/doitgen.json \
	tests/polybench/durbin.in.bin tests/polybench/durbin.out.bin examples/polybench/durbin.json \
	tests/polybench/fdtd-2d.in.bin tests/polybench/fdtd-2d.out.bin examples/polybench/fdtd-2d.json \
	tests/polybench/floyd-warshall.in.bin tests/polybench/floyd-warshall.out.bin examples/polybench/floyd-warshall.json \
	tests/polybench/gemm.in.bin tests/polybench/gemm.out.bin examples/polybench/gemm.json \
	tests/polybench/gemver.in.bin tests/polybench/gemver.out.bin examples/polybench/gemver.json \
	tests/polybench/gesummv.in.bin tests/polybench/gesummv.out.bin examples/polybench/gesummv.json \
	tests/polybench/gramschmidt.in.bin tests/polybench/gramschmidt.out.bin examples/polybench/gramschmidt.json \
	tests/polybench/heat-3d.in.bin tests/polybench/heat-3d.out.bin examples/polybench/heat-3d.json \
	tests/polybench/jacobi-1d.in.bin tests/polybench/jacobi-1d.out.bin examples/polybench/jacobi-1d.json \
	tests/polybench/jacobi-2d.in.bin tests/polybench/jacobi-2d.out.bin examples/polybench/jacobi-2d.json \
	tests/polybench/lu.in.bin tests/polybench/lu.out.bin examples/polybench/lu.json \
	tests/polybench/ludcmp.in.bin tests/polybench/ludcmp.out.bin examples/polybench/ludcmp.json \
	tests/polybench/mvt.in.bin tests/polybench/mvt.out.bin examples/polybench/mvt.json \
	tests/polybench/nussinov.in.bin tests/polybench/nussinov.out.bin examples/polybench/nussinov.json \
	tests/polybench/seidel-2d.in.bin tests/polybench/seidel-2d.out.bin examples/polybench/seidel-2d.json \
	tests/polybench/symm.in.bin tests/polybench/symm.out.bin examples/polybench/symm.json \
	tests/polybench/syr2k.in.bin tests/polybench/syr2k.out.bin examples/polybench/syr2k.json \
	tests/polybench/syrk.in.bin tests/polybench/syrk.out.bin examples/polybench/syrk.json \
	tests/polybench/trisolv.in.bin tests/polybench/trisolv.out.bin examples/polybench/trisolv.json \
	tests/polybench/trmm.in.bin tests/polybench/trmm.out.bin examples/polybench/trmm.json
