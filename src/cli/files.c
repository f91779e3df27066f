#include "cli/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void complain(const char *what, const char *path)
{
    fprintf(stderr, "polynest: error: cannot %s %s: %s\n", what, path, strerror(errno));
}

static void *resize_or_abort(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (!memory)
        abort();
    return memory;
}

static char *read_stream(FILE *stream, size_t *size)
{
    size_t capacity = 16384, got;
    char *data = resize_or_abort(NULL, capacity);

    *size = 0;
    while ((got = fread(data + *size, 1, capacity - *size - 1, stream)) > 0) {
        *size += got;
        if (capacity - *size < 2)
            data = resize_or_abort(data, capacity *= 2);
    }
    data[*size] = '\0';
    return data;
}

char *file_read(const char *path, size_t *size)
{
    const bool is_standard = strcmp(path, "-") == 0;
    FILE *stream = is_standard ? stdin : fopen(path, "rb");
    char *data = NULL;

    if (stream)
        data = read_stream(stream, size);
    if (!stream || ferror(stream)) {
        complain("read", is_standard ? "standard input" : path);
        free(data);
        data = NULL;
    }
    if (stream && !is_standard)
        fclose(stream);
    return data;
}

const char *file_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The size bytes of text, then tail; malloc'ed. */
static char *join(const char *text, size_t size, const char *tail)
{
    char *joined = resize_or_abort(NULL, size + strlen(tail) + 1);

    memcpy(joined, text, size);
    strcpy(joined + size, tail);
    return joined;
}

char *file_with_extension(const char *path, const char *extension)
{
    const char *base = file_base_name(path);
    const char *dot = strrchr(base, '.');

    return join(path, dot && dot != base ? (size_t)(dot - path) : strlen(path), extension);
}

bool file_is_special(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

bool file_same(const char *a, const char *b)
{
    struct stat info_a, info_b;

    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &info_a) == 0 && stat(b, &info_b) == 0 && info_a.st_dev == info_b.st_dev &&
           info_a.st_ino == info_b.st_ino;
}

static bool write_all(int file, const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        const ssize_t written = write(file, text, left);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text += written;
        left -= (size_t)written;
    }
    return true;
}

/* New files get the permissions that the umask leaves; others keep theirs. */
static void set_permissions(int file, const char *place)
{
    const mode_t mask = umask(0);
    struct stat info;

    umask(mask);
    (void)!fchmod(file, stat(place, &info) == 0 ? info.st_mode & 07777 : 0666 & ~mask);
}

static bool is_direct(const struct output *output)
{
    return !output->path || file_is_special(output->path);
}

/* Where an output finally goes: behind a symbolic link, the file that it names. Malloc'ed. */
static char *final_place(const char *path)
{
    char *real = realpath(path, NULL);

    return real ? real : join(path, strlen(path), "");
}

static int open_temporary(struct output *output)
{
    int file = -1;

    output->place = final_place(output->path);
    output->temporary =
        join(output->place, (size_t)(file_base_name(output->place) - output->place), ".polynest-XXXXXX");
    if (access(output->place, F_OK) != 0 || access(output->place, W_OK) == 0)
        file = mkstemp(output->temporary);
    return file;
}

static bool write_temporary(struct output *output)
{
    const int file = open_temporary(output);
    bool ok = false;

    if (file >= 0) {
        set_permissions(file, output->place);
        ok = write_all(file, output->text);
        ok = close(file) == 0 && ok;
    }
    if (!ok)
        complain("write", output->path);
    return ok;
}

static bool write_direct(const struct output *output)
{
    FILE *stream = output->path ? fopen(output->path, "w") : stdout;
    bool ok = stream && fputs(output->text, stream) >= 0 && fflush(stream) == 0;

    if (!ok)
        complain("write", output->path ? output->path : "standard output");
    if (stream && stream != stdout && fclose(stream) != 0)
        ok = false;
    return ok;
}

/* Puts the temporary file at its place, which for a new file must be free. */
static bool rename_temporary(const struct output *output)
{
    if (!output->temporary)
        return true;
    if (output->create ? link(output->temporary, output->place) == 0 && unlink(output->temporary) == 0
                       : rename(output->temporary, output->place) == 0)
        return true;
    complain("write", output->path);
    return false;
}

/* Removes what is there of n outputs, the first n_renamed of which stand at their final places. */
static void undo(const struct output *output, int n, int n_renamed)
{
    for (int i = 0; i < n; i++) {
        if (output[i].temporary)
            unlink(i < n_renamed ? output[i].place : output[i].temporary);
    }
}

static bool write_somewhere(struct output *output, int n)
{
    for (int i = 0; i < n; i++) {
        if (!is_direct(&output[i]) && !write_temporary(&output[i]))
            return false;
    }
    for (int i = 0; i < n; i++) {
        if (is_direct(&output[i]) && !write_direct(&output[i]))
            return false;
    }
    return true;
}

bool output_all(struct output *output, int n)
{
    bool ok;
    int n_renamed = 0;

    for (int i = 0; i < n; i++)
        output[i].place = output[i].temporary = NULL;
    ok = write_somewhere(output, n);
    while (ok && n_renamed < n && (ok = rename_temporary(&output[n_renamed])))
        n_renamed++;
    if (!ok)
        undo(output, n, n_renamed);
    for (int i = 0; i < n; i++) {
        free(output[i].place);
        free(output[i].temporary);
    }
    return ok;
}
