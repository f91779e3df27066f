# the Python package over the shared library
EXTRA_DIST += \
	src/python/polynest/__init__.py \
	src/python/polynest/errors.py \
	src/python/polynest/extents.py \
	src/python/polynest/function.py \
	src/python/polynest/library.py \
	src/python/polynest/program.py \
	src/python/polynest/py.typed \
	src/python/pyproject.toml \
	tests/python/test_function.py \
	tests/python/test_program.py
