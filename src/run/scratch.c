#include "run/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool complain(struct text *messages, const char *what, const char *path)
{
    text_addf(messages, "cannot %s %s: %s", what, path, strerror(errno));
    return false;
}

/* Standard input ends when the process that holds the other end does, in whatever way. */
static void become_remover(int from, char *folder)
{
    static char shell[] = "sh", option[] = "-c", self[] = "polynest",
                script[] = "trap '' HUP INT TERM; cat > /dev/null; rm -rf \"$1\" || { sleep 1; rm -rf \"$1\"; }";
    char *const word[] = {shell, option, script, self, folder, NULL};

    dup2(from, 0);
    setpgid(0, 0);
    execv("/bin/sh", word);
    _exit(127);
}

static bool start_remover(struct scratch *scratch)
{
    int ends[2];

    if (pipe(ends) != 0)
        return false;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    scratch->remover = fork();
    if (scratch->remover == 0) {
        close(ends[1]);
        become_remover(ends[0], scratch->folder);
    }
    close(ends[0]);
    scratch->held = ends[1];
    if (scratch->remover < 0)
        close(ends[1]);
    return scratch->remover > 0;
}

bool scratch_open(struct scratch *scratch, struct text *messages)
{
    const char *variable = getenv("TMPDIR"), *parent = variable && *variable ? variable : "/tmp";
    struct text path = {0};

    text_addf(&path, "%s/polynest-XXXXXX", parent);
    *scratch = (struct scratch){.folder = text_take(&path), .held = -1};
    if (!mkdtemp(scratch->folder)) {
        complain(messages, "make a folder in", parent);
        free(scratch->folder);
        return false;
    }
    if (start_remover(scratch))
        return true;
    complain(messages, "start", "/bin/sh");
    rmdir(scratch->folder);
    free(scratch->folder);
    return false;
}

void scratch_close(struct scratch *scratch)
{
    int status;

    close(scratch->held);
    while (waitpid(scratch->remover, &status, 0) < 0 && errno == EINTR)
        ;
    free(scratch->folder);
    scratch->folder = NULL;
}

bool scratch_write(const struct scratch *scratch, const char *name, const char *content, struct text *messages)
{
    struct text path = {0};
    FILE *file;
    bool ok;

    text_addf(&path, "%s/%s", scratch->folder, name);
    file = fopen(text_str(&path), "w");
    ok = file && fputs(content, file) >= 0;
    ok = file && fclose(file) == 0 && ok;
    if (!ok)
        complain(messages, "write", text_str(&path));
    text_free(&path);
    return ok;
}

bool scratch_folder(const struct scratch *scratch, const char *name, struct text *messages)
{
    struct text path = {0};
    bool ok;

    text_addf(&path, "%s/%s", scratch->folder, name);
    ok = mkdir(text_str(&path), 0700) == 0 || errno == EEXIST;
    if (!ok)
        complain(messages, "make", text_str(&path));
    text_free(&path);
    return ok;
}
