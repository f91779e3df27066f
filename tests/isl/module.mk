# isl's operations on random small sets against enumeration
check_PROGRAMS += tests/isl/judge-isl
tests_isl_judge_isl_SOURCES = \
	tests/isl/draw.c \
	tests/isl/judge.c \
	tests/isl/points.c \
	tests/isl/points.h \
	tests/isl/reader.c
tests_isl_judge_isl_CFLAGS = $(AM_CFLAGS)
tests_isl_judge_isl_LDFLAGS = $(AM_LDFLAGS) -static
tests_isl_judge_isl_LDADD = libpolynest.la $(ISL_LIBS) $(CJSON_LIBS)
TESTS += tests/isl/judge-isl
