/* Fewer pieces for the same set.
 *
 * isl 0.25 may fuse a piece that has a quotient with one that has none to more than both, { i mod 4 = 0 } and
 * { i <= 1 } to { i mod 4 <= 1 }. Here what it makes is kept only where it is equal; nothing else in polynest
 * calls isl's own functions (tests/self/sources). Their comparison is not fooled: tests/isl tries both.
 */
#ifndef POLY_COALESCE_H
#define POLY_COALESCE_H

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>

__isl_give isl_set *poly_set_coalesce(__isl_take isl_set *set);
__isl_give isl_map *poly_map_coalesce(__isl_take isl_map *map);
/* The same for dependences, of which some have very many pieces: more than a few with quotients stay as they are, since
 * isl compares each with each. */
__isl_give isl_map *poly_pairs_coalesce(__isl_take isl_map *pairs);
__isl_give isl_union_map *poly_union_pairs_coalesce(__isl_take isl_union_map *pairs);

/* Pieces of one value become one, the pieces' domains are coalesced. */
__isl_give isl_pw_aff *poly_pw_aff_coalesce(__isl_take isl_pw_aff *pa);
__isl_give isl_pw_multi_aff *poly_pw_multi_aff_coalesce(__isl_take isl_pw_multi_aff *pma);
__isl_give isl_union_pw_aff *poly_union_pw_aff_coalesce(__isl_take isl_union_pw_aff *upa);

#endif
