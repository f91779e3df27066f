# the oracle, and the driver that emitted code is linked with
check_LIBRARIES = tests/oracle/liboracle.a tests/oracle/libdriver.a

tests_oracle_liboracle_a_SOURCES = \
	tests/oracle/datum.c \
	tests/oracle/datum.h \
	tests/oracle/evaluate.c \
	tests/oracle/half.c \
	tests/oracle/half.h \
	tests/oracle/harness.h \
	tests/oracle/inputs.c \
	tests/oracle/inputs.h \
	tests/oracle/interpret.h \
	tests/oracle/prng.h \
	tests/oracle/record.c \
	tests/oracle/record.h \
	tests/oracle/sizes.c \
	tests/oracle/sizes.h \
	tests/oracle/storage.c \
	tests/oracle/storage.h \
	tests/oracle/walk.c
tests_oracle_liboracle_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off

check_PROGRAMS += tests/oracle/polynest-oracle
tests_oracle_polynest_oracle_SOURCES = tests/oracle/oracle.c
tests_oracle_polynest_oracle_LDFLAGS = $(AM_LDFLAGS) -static
tests_oracle_polynest_oracle_LDADD = tests/oracle/liboracle.a libpolynest.la $(ISL_LIBS) $(CJSON_LIBS) -lm

# Linked with emitted code by any compiler, so never built with sanitizers itself.
tests_oracle_libdriver_a_SOURCES = \
	tests/oracle/driver.c \
	tests/oracle/harness.h \
	tests/oracle/linked.c
tests_oracle_libdriver_a_CFLAGS = -std=c11 $(WARN_CFLAGS)
check_LIBRARIES += tests/oracle/libloader.a
tests_oracle_libloader_a_SOURCES = tests/oracle/loaded.c
tests_oracle_libloader_a_CFLAGS = $(tests_oracle_libdriver_a_CFLAGS)

check_PROGRAMS += tests/oracle/test_datum
TESTS += tests/oracle/test_datum
tests_oracle_test_datum_SOURCES = tests/oracle/test_datum.c
tests_oracle_test_datum_LDFLAGS = $(AM_LDFLAGS) -static
tests_oracle_test_datum_LDADD = tests/oracle/liboracle.a libpolynest.la $(ISL_LIBS) $(CJSON_LIBS) -lm
