# For makefiles: NAME.c and NAME.h of NAME.json, emitted again where the description, or what it reads, changes.
#
#   include $(shell pkg-config --variable=makefile polynest)
#
# POLYNEST is the program, POLYNEST_FLAGS are options of `polynest emit`; NAME_POLYNEST_FLAGS are those for one description.
# NAME.pd has the dependences. Files are written where make runs; descriptions are also found by VPATH.
POLYNEST ?= polynest

%.c %.h: %.json
	$(POLYNEST) emit $< -o $*.c -MF $*.pd -MP $(POLYNEST_FLAGS) $($(notdir $*)_POLYNEST_FLAGS)

%.cu %.h: %.json
	$(POLYNEST) emit $< -o $*.cu -MF $*.pd -MP $(POLYNEST_FLAGS) $($(notdir $*)_POLYNEST_FLAGS)

-include $(wildcard *.pd)
