/* polynest-border: refusals that are true, and acceptances, by plain enumeration of small programs.
 *
 * usage: polynest-border TABLE FIRST-SEED COUNT WORD
 *
 * TABLE is the table of refusals. Exit status 0, or 1 when an answer is wrong, with the description and the reason.
 */
#include "border.h"

#include "polynest/polynest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct word *find_word(const char *name)
{
    for (int k = 0; k < n_border_words; k++)
        if (strcmp(border_words[k].name, name) == 0)
            return &border_words[k];
    return NULL;
}

static enum outcome decide(const struct word *word, const struct draft *draft, polynest_status status,
                           const struct said *said, struct text *reason)
{
    if (status == POLYNEST_UNDECIDED)
        return UNDECIDED;
    if (status != POLYNEST_OK && (status != POLYNEST_REFUSED || !said->rule[0])) {
        text_add(reason, "neither done nor refused with a reason");
        return WRONG;
    }
    if (status == POLYNEST_REFUSED && strcmp(said->kind, "usage") == 0) {
        text_add(reason, "the draft is no description");
        return WRONG;
    }
    if (status == POLYNEST_REFUSED) {
        word = said->judge ? find_word(said->judge) : NULL;
        if (!word && strcmp(said->kind, "other") != 0)
            return strcmp(said->kind, "may") == 0 ? MAY : LIMIT;
        if (!word) {
            text_add(reason, "refused for what is no refusal");
            return WRONG;
        }
    }
    return word->judge(draft, status == POLYNEST_OK, said, reason);
}

/* Undecided answers name the step, its place and what would help, whatever the budget is. */
static bool told_undecided(const struct said *said, struct text *reason)
{
    if (strcmp(said->rule, "budget") == 0 && said->has_place && said->has_hint)
        return true;
    text_add(reason, "undecided without a place, a reason or what would help");
    return false;
}

/* What is decided within a budget is what is decided without one. */
static enum outcome try_budget(const struct text *description, unsigned long budget, const struct said *whole,
                               polynest_status decided, struct text *reason)
{
    polynest *p = polynest_new("border.json", text_str(description), description->size);
    struct said said;
    polynest_status status;

    polynest_set_budget(p, budget);
    status = polynest_emit(p);
    said_read(&said, polynest_diagnostics(p));
    polynest_free(p);
    if (status == POLYNEST_UNDECIDED)
        return told_undecided(&said, reason) ? UNDECIDED : WRONG;
    if (status == decided && strcmp(said.text, whole->text) == 0)
        return ACCEPTED;
    text_addf(reason, "a budget of %lu changes the answer: %s", budget, said.text);
    return WRONG;
}

static enum outcome try_budgets(const struct text *description, struct said *whole, struct text *reason)
{
    static const unsigned long budgets[] = {1, 50, 300, 1000, 3000, 5000, 8000, 12000, 20000, 40000};
    polynest *p = polynest_new("border.json", text_str(description), description->size);
    enum outcome outcome = ACCEPTED, one = ACCEPTED;
    polynest_status decided;

    polynest_set_budget(p, 0);
    decided = polynest_emit(p);
    said_read(whole, polynest_diagnostics(p));
    polynest_free(p);
    for (size_t k = 0; k < sizeof(budgets) / sizeof(budgets[0]) && one != WRONG; k++) {
        one = try_budget(description, budgets[k], whole, decided, reason);
        outcome = one == ACCEPTED ? outcome : one;
    }
    return outcome;
}

/* "\"assume\": [\"N >= 3\"] would be enough": with that the same is not found again. */
static bool is_enough(const struct text *description, const char *diagnostics, const struct said *said)
{
    static const char start[] = "\"assume\": [";
    const char *first = strstr(diagnostics, "error: "), *second = first ? strstr(first + 1, "error: ") : NULL;
    const char *hint = strstr(diagnostics, "hint: \"assume\": [\"");
    const char *end = hint && (!second || hint < second) ? strstr(hint, "] would be enough") : NULL;
    const char *list = strstr(text_str(description), start);
    struct text more = {0};
    struct said again;

    if (!end || strcmp(said->rule, "bounds") != 0)
        return true;
    hint += strlen("hint: ") + strlen(start);
    list += strlen(start);
    text_add_n(&more, text_str(description), (size_t)(list - text_str(description)));
    text_add_n(&more, hint, (size_t)(end - hint));
    text_addf(&more, ", %s", list);
    polynest *p = polynest_new("border.json", text_str(&more), more.size);
    polynest_check(p);
    said_read(&again, polynest_diagnostics(p));
    polynest_free(p);
    text_free(&more);
    return strcmp(again.rule, "bounds") != 0 || strncmp(again.text, said->text, strcspn(said->text, ":")) != 0;
}

static enum outcome run_seed(const struct word *word, uint64_t seed)
{
    struct draft draft = {.prng = {.state = seed}};
    struct text description = {0}, reason = {0};
    struct said said;
    enum outcome outcome;

    word->draw(&draft);
    draft_write(&draft, &description);
    if (getenv("BORDER_SHOW"))
        printf("%s\n", text_str(&description));
    fflush(stdout);
    if (!word->judge) {
        outcome = try_budgets(&description, &said, &reason);
    } else {
        polynest *p = polynest_new("border.json", text_str(&description), description.size);
        const polynest_status status = polynest_emit(p);
        said_read(&said, polynest_diagnostics(p));
        outcome = decide(word, &draft, status, &said, &reason);
        if (outcome == CONFIRMED && !is_enough(&description, polynest_diagnostics(p), &said)) {
            text_add(&reason, "what would be enough is not");
            outcome = WRONG;
        }
        if (getenv("BORDER_SHOW"))
            printf("%s", polynest_diagnostics(p));
        polynest_free(p);
    }
    if (outcome == WRONG)
        printf("seed %llu: %s\n%s%s [%s]\n", (unsigned long long)seed, text_str(&reason), text_str(&description),
               said.text, said.rule);
    if (getenv("BORDER_LIMITS") && (outcome == LIMIT || outcome == MAY))
        printf("seed %llu: %s", (unsigned long long)seed, said.text);
    text_free(&description);
    text_free(&reason);
    text_free(&draft.schedule);
    text_free(&draft.plan);
    text_free(&draft.target);
    return outcome;
}

int main(int argc, char **argv)
{
    static const char *const name[N_OUTCOMES] = {
        "accepted and confirmed", "refused and confirmed", "not proved", "not supported", "undecided", "WRONG"};
    const struct word *word = argc == 5 ? find_word(argv[4]) : NULL;
    int count[N_OUTCOMES] = {0};

    if (!word || !said_table(argv[1])) {
        fprintf(stderr, "usage: polynest-border TABLE FIRST-SEED COUNT WORD\n");
        return 2;
    }
    for (uint64_t k = 0, first = strtoull(argv[2], NULL, 10); k < strtoull(argv[3], NULL, 10); k++)
        count[run_seed(word, first + k)]++;
    printf("%s:", argv[4]);
    for (int k = 0; k < N_OUTCOMES; k++)
        printf("%s %s %d", k ? "," : "", name[k], count[k]);
    printf("\n");
    return count[WRONG] ? 1 : 0;
}
