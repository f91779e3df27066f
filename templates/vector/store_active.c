/* What a lane does with a mask.
 *
 * part of vector/apart.c
 * ACTIVE = m >> k & 1
 * PLACE = p[k * step]
 */
        if (@ACTIVE@)
            @PLACE@ = x[k];
