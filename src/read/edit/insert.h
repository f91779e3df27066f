/* A description's text with something put in: an item at the end of a list, or a member of an object.
 *
 * Everything else stays as it is, comments and lines included. What is put in stands on a line of its own where its
 * neighbours do.
 */
#ifndef READ_EDIT_INSERT_H
#define READ_EDIT_INSERT_H

#include "program/object.h"

/* A text that is JSON with comments, as json_read found its values; arena keeps the new texts. */
struct edited {
    struct arena *arena;
    const struct source *source;
    const struct value *root;
};

/* The text with item, which is JSON, as the last one of list. */
const char *insert_item(const struct edited *edited, const struct value *list, const char *item);
/* The text in which the object has the value, which is JSON, for this key. It replaces the old value; a new member
 * follows the last one of the object whose key precedes it in keys. */
const char *insert_member(const struct edited *edited, const struct value *object, const struct argument *keys,
                          const char *key, const char *value);
/* The text with item as the last one of the list that the object has for this key, which is made where it is
 * missing. */
const char *insert_into(const struct edited *edited, const struct value *object, const struct argument *keys,
                        const char *key, const char *item);

#endif
