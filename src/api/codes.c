/* The page of a diagnostic's code: the text of templates/codes, and the message that its example gives. */
#include "polynest/polynest.h"

#include "base/diag.h"
#include "base/template.h"

#include <stdlib.h>
#include <string.h>

static const char folder[] = "codes/";

enum { FOLDER_SIZE = sizeof(folder) - 1 };

static bool is_code(const struct template_file *file)
{
    return strncmp(file->name, folder, FOLDER_SIZE) == 0;
}

/* The file whose text starts with the code. */
static const struct template_file *file_of(const char *code)
{
    for (int k = 0; k < template_n_file; k++)
        if (is_code(&template_files[k]) && strlen(code) == DIAG_CODE_SIZE &&
            strncmp(template_files[k].text, code, DIAG_CODE_SIZE) == 0)
            return &template_files[k];
    return NULL;
}

/* The lines of an example that belong to the wrong description. */
static char *wrong_of(const char *example)
{
    struct text wrong = {0};

    for (const char *line = example; *line; line += strcspn(line, "\n") + 1)
        if (*line != '+')
            text_add_n(&wrong, line + 2, strcspn(line, "\n") - 1);
    return text_take(&wrong);
}

static void add_message(struct text *out, const char *example)
{
    char *wrong = wrong_of(example);
    polynest *p = polynest_new("example.json", wrong, strlen(wrong));

    polynest_check(p);
    text_addf(out, "\nWith the lines that start with `-`:\n\n```\n%s```\n\nThose with `+` are a cure.\n",
              polynest_diagnostics(p));
    polynest_free(p);
    free(wrong);
}

static void add_page(struct text *out, const struct template_file *file)
{
    const char *title = file->text + DIAG_CODE_SIZE + 1, *body = strchr(title, '\n') + 1;
    const char *example = strstr(body, "\n\n  ");
    const char *other = strstr(body, "\n\n- ");

    if (!example || (other && other < example))
        example = other;
    text_addf(out, "# %.*s: %.*s [%s]\n", DIAG_CODE_SIZE, file->text, (int)(body - title) - 1, title,
              file->name + FOLDER_SIZE);
    text_add_n(out, body, example ? (size_t)(example - body) + 1 : strlen(body));
    if (!example)
        return;
    text_addf(out, "\n```diff\n%s```\n", example + 2);
    add_message(out, example + 2);
}

char *polynest_code_help(const char *code)
{
    const struct template_file *file = file_of(code);
    struct text out = {0};

    if (!file)
        return NULL;
    add_page(&out, file);
    return text_take(&out);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char *polynest_codes(void)
{
    const char **text = calloc((size_t)template_n_file, sizeof(*text));
    struct text out = {0};
    size_t n = 0;

    if (!text)
        abort();
    for (int k = 0; k < template_n_file; k++)
        if (is_code(&template_files[k]))
            text[n++] = template_files[k].text;
    qsort(text, n, sizeof(*text), compare_texts);
    for (size_t k = 0; k < n; k++)
        text_add_n(&out, text[k], strcspn(text[k], "\n") + 1);
    free(text);
    return text_take(&out);
}
