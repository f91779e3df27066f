# the program, a client of the public header only; files alphabetical
bin_PROGRAMS = polynest
polynest_SOURCES = \
	src/cli/cmd_auto.c \
	src/cli/cmd_check.c \
	src/cli/cmd_emit.c \
	src/cli/cmd_draw.c \
	src/cli/cmd_explain.c \
	src/cli/cmd_fmt.c \
	src/cli/cmd_help.c \
	src/cli/cmd_new.c \
	src/cli/cmd_show.c \
	src/cli/cmd_tables.c \
	src/cli/cmd_run.c \
	src/cli/cmd_tune.c \
	src/cli/command.h \
	src/cli/description.c \
	src/cli/files.c \
	src/cli/files.h \
	src/cli/main.c \
	src/cli/messages.c \
	src/cli/messages.h \
	src/cli/numbers.c \
	src/cli/numbers.h \
	src/cli/options.c \
	src/cli/options.h \
	src/cli/small_numbers.c \
	src/cli/stop.c \
	src/cli/stop.h
polynest_LDADD = libpolynest.la $(GMP_LIBS)
