/* Questions about an order that programs ask: one answer each, and the reason. */
#ifndef REPORT_INQUIRY_H
#define REPORT_INQUIRY_H

#include "sched/schedule.h"

enum question {
    QUESTION_LEGAL,      /* does the order keep all dependences? */
    QUESTION_PARALLEL,   /* may the iterations of the loop run in any order, or at once? */
    QUESTION_PERMUTABLE, /* may the loops be in any order, and be tiled? */
    QUESTION_FOOTPRINT,  /* how many elements of the array does one iteration of the loop touch? */
};

struct inquiry {
    enum question question;
    const char *loops; /* "i", "nest.i", "label.i"; of PERMUTABLE several, with commas between */
    const char *array; /* of FOOTPRINT */
    bool yes;          /* the answer; of FOOTPRINT: it is exact, not only a bound */
};

/* Answers, with the reason for a no, or the number of elements, in out. */
enum status inquire(struct schedule *schedule, struct inquiry *inquiry, struct text *out);

#endif
