# sources of src/report, alphabetical
libpolynest_la_SOURCES += \
	src/report/count.c \
	src/report/count.h \
	src/report/draw/arrows.c \
	src/report/draw/arrows.h \
	src/report/draw/draw.c \
	src/report/draw/draw.h \
	src/report/draw/instances.c \
	src/report/draw/instances.h \
	src/report/draw/page.c \
	src/report/draw/sizes.c \
	src/report/draw/sizes.h \
	src/report/explain.c \
	src/report/explain.h \
	src/report/explain_barriers.c \
	src/report/explain_caches.c \
	src/report/explain_dependences.c \
	src/report/explain_loops.c \
	src/report/explain_memory.c \
	src/report/explain_parts.h \
	src/report/explain_plan.c \
	src/report/explain_verdict.c \
	src/report/outline.c \
	src/report/outline.h \
	src/report/primitives.c \
	src/report/primitives.h \
	src/report/schema.c \
	src/report/schema.h \
	src/report/shape.c \
	src/report/shape.h \
	src/report/show.c \
	src/report/show.h \
	src/report/signature.c \
	src/report/signature.h \
	src/report/table.c \
	src/report/table.h
