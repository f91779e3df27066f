/* The languages that polynest emits. Each word here is a folder of target/, which has its `language_NAME` and its
 * `target_NAME` (target/target.h). */
#ifndef CAPS_LANGUAGE_H
#define CAPS_LANGUAGE_H

#define LANGUAGES(X) X(c) X(cuda) X(hip)

struct gpu;

struct language {
    const char *name;      /* as in descriptions */
    const char *title;     /* as in messages */
    const struct gpu *gpu; /* what devices that it is for have; NULL: it runs on none */
};

/* Their names, then NULL. */
const char *const *language_names(void);
/* Its place among the names. */
int language_number(const char *name);
const struct language *language_by_name(const char *name);

#endif
