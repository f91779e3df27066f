/* Starts: commented descriptions of common kernels to begin with, the files of templates/new. */
#include "base/template.h"
#include "base/text.h"
#include "polynest/polynest.h"

#include <stdbool.h>
#include <string.h>

static const char folder[] = "new/";

enum { FOLDER_SIZE = sizeof(folder) - 1 };

static bool is_start(const struct template_file *file)
{
    return strncmp(file->name, folder, FOLDER_SIZE) == 0;
}

static const struct template_file *start_number(int number)
{
    for (int k = 0; k < template_n_file; k++)
        if (is_start(&template_files[k]) && number-- == 0)
            return &template_files[k];
    return NULL;
}

const char *polynest_start_name(int number)
{
    const struct template_file *file = number < 0 ? NULL : start_number(number);

    return file ? file->name + FOLDER_SIZE : NULL;
}

char *polynest_start(const char *name)
{
    for (int k = 0; k < template_n_file; k++)
        if (is_start(&template_files[k]) && strcmp(template_files[k].name + FOLDER_SIZE, name) == 0) {
            struct text copy = {0};

            text_add(&copy, template_files[k].text);
            return text_take(&copy);
        }
    return NULL;
}
