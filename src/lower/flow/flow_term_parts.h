/* How terms are made of hashes: for flow_term.c and flow_term_call.c only. */
#ifndef LOWER_FLOW_FLOW_TERM_PARTS_H
#define LOWER_FLOW_FLOW_TERM_PARTS_H

#include "lower/flow/flow_term.h"

/* Beside the operators of enum expr_op. */
enum { TAG_CALL = 64, TAG_CAST = 128, TAG_REAL = 192, TAG_LEAF, TAG_INFINITE };

struct term flow_term_value(enum type type, uint64_t hash);
/* What the term is in others, and compared. */
uint64_t flow_term_identity(struct term a);
/* Of the hash or of its negative, what is not negative. */
uint64_t flow_term_size(uint64_t hash);
/* Of an operation that changes its sign with either operand; sorted: and does not look at their order. */
uint64_t flow_term_signed_mix(uint64_t tag, uint64_t a, uint64_t b, bool sorted);

#endif
