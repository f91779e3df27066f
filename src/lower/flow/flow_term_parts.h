/* How terms are made of hashes: for the files of terms only. */
#ifndef LOWER_FLOW_FLOW_TERM_PARTS_H
#define LOWER_FLOW_FLOW_TERM_PARTS_H

#include "lower/flow/flow_term.h"

/* Beside the operators of enum expr_op. */
enum { TAG_CALL = 64, TAG_CAST = 128, TAG_REAL = 192, TAG_LEAF, TAG_INFINITE };

struct term flow_term_value(enum type type, uint64_t hash);
uint64_t flow_term_infinite(void);
/* The least and the greatest number of an integer type; of floats none. */
bool flow_term_range(enum type type, int64_t *least, int64_t *most);
/* Of two numbers. */
int64_t flow_term_folded(enum expr_op op, int64_t a, int64_t b);
/* The same as a set, unless both are numbers. */
struct term flow_term_in_set(const struct algebra *algebra, enum expr_op op, enum type type, struct term a,
                             struct term b);
/* What the term is in others, and compared. */
uint64_t flow_term_identity(struct term a);
/* Of the hash or of its negative, what is not negative. */
uint64_t flow_term_size(uint64_t hash);
/* Of an operation that changes its sign with either operand; sorted: and does not look at their order. */
uint64_t flow_term_signed_mix(uint64_t tag, uint64_t a, uint64_t b, bool sorted);

#endif
