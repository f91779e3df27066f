#include "target/clike/wrap.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

/* Where a line may be broken, weakest connection first; the break is at the blank before the operator, or behind
 * the comma or semicolon. */
enum strength { SEMICOLON, COMMA, CHOICE, OR, AND, BITS, RELATION, SUM, PRODUCT, NO_BREAK };

enum {
    SHORT = 12,  /* what may follow a broken bracket, such as `) / 9.0;` */
    TARGET = 30, /* `const int64_t jj_end =` */
    TINY = 5,    /* `sum =`: a value on the next line would start at the same place */
};

/* A part of a line. */
struct span {
    const char *at;
    size_t size;
};

struct layout {
    struct text *out;
    size_t line_start; /* in out, of the line being written */
    size_t hang_from;  /* what stands in a bracket behind this column starts on a line of its own */
    bool beside;       /* a call starts beside its target in any case */
    int astray;        /* brackets whose further lines stand neither below the first one nor four in from it */
};

static struct span span_of(const char *text)
{
    return (struct span){text, strlen(text)};
}

static struct span span_part(struct span span, size_t from, size_t to)
{
    return (struct span){span.at + from, to - from};
}

static int nesting_change(char c)
{
    return (strchr("([{", c) && c) - (strchr(")]}", c) && c);
}

static enum strength operator_strength(const char *text, size_t size)
{
    static const struct {
        const char *text;
        enum strength strength;
    } operators[] = {
        {"? ", CHOICE},    {": ", CHOICE},    {"|| ", OR},       {"&& ", AND},     {"| ", BITS},      {"^ ", BITS},
        {"& ", BITS},      {"== ", RELATION}, {"!= ", RELATION}, {"< ", RELATION}, {"<= ", RELATION}, {"> ", RELATION},
        {">= ", RELATION}, {"+ ", SUM},       {"- ", SUM},       {"* ", PRODUCT},  {"/ ", PRODUCT},   {"% ", PRODUCT},
    };

    for (size_t k = 0; k < sizeof(operators) / sizeof(operators[0]); k++)
        if (strlen(operators[k].text) <= size && strncmp(text, operators[k].text, strlen(operators[k].text)) == 0)
            return operators[k].strength;
    return NO_BREAK;
}

/* How strong the connection is at this blank. */
static enum strength strength_at(struct span span, size_t at)
{
    if (at == 0 || span.at[at] != ' ')
        return NO_BREAK;
    if (span.at[at - 1] == ';')
        return SEMICOLON;
    return span.at[at - 1] == ',' ? COMMA : operator_strength(span.at + at + 1, span.size - at - 1);
}

/* The weakest connection outside of brackets. */
static enum strength weakest(struct span span)
{
    enum strength found = NO_BREAK;
    int depth = 0;

    for (size_t at = 0; at < span.size; at++) {
        depth += nesting_change(span.at[at]);
        if (!depth && strength_at(span, at) < found)
            found = strength_at(span, at);
    }
    return found;
}

/* The end of the chunk that starts at `from`: the next break of this strength outside of brackets. */
static size_t chunk_end(struct span span, size_t from, enum strength strength)
{
    int depth = 0;

    for (size_t at = from; at < span.size; at++) {
        depth += nesting_change(span.at[at]);
        if (!depth && at > from && strength_at(span, at) == strength)
            return at;
    }
    return span.size;
}

/* The longest bracket at depth 0: from behind its opening to before its closing one; empty: none. */
static struct span longest_bracket(struct span span)
{
    struct span longest = {span.at, 0};
    size_t open = 0;
    int depth = 0;

    for (size_t at = 0; at < span.size; at++) {
        const int change = nesting_change(span.at[at]);
        if (change > 0 && depth == 0)
            open = at + 1;
        depth += change;
        if (change < 0 && depth == 0 && at - open > longest.size)
            longest = span_part(span, open, at);
    }
    return longest;
}

static size_t column(const struct layout *layout)
{
    return layout->out->size - layout->line_start;
}

static void put(struct layout *layout, struct span span)
{
    text_add_n(layout->out, span.at, span.size);
}

static void new_line(struct layout *layout, size_t indent)
{
    text_char(layout->out, '\n');
    layout->line_start = layout->out->size;
    text_addf(layout->out, "%*s", (int)indent, "");
}

static void put_wrapped(struct layout *layout, struct span span, size_t indent, size_t after);

/* Has every argument room on a line that starts at this column? */
static bool arguments_fit(struct span arguments, size_t start, size_t after)
{
    for (size_t from = 0, to; from < arguments.size; from = to + 1) {
        to = chunk_end(arguments, from, COMMA);
        if (start + (to - from) + (to == arguments.size ? after : 0) > WRAP_WIDTH)
            return false;
    }
    return true;
}

/* What the line being written starts with. */
static size_t line_indent(const struct layout *layout)
{
    return strspn(text_str(layout->out) + layout->line_start, " ");
}

/* Is the bracket that is open now the only one that the line being written opens? What follows in others is further to
 * the right. */
static bool opens_alone(const struct layout *layout)
{
    int depth = 0;

    for (const char *c = text_str(layout->out) + layout->line_start; *c; c++)
        depth += (strchr("([{", *c) != NULL) - (strchr(")]}", *c) != NULL);
    return depth == 1;
}

/* Is what stands in the bracket, which is open now, better on a line of its own, at indent? A subscript never is. */
static bool hangs(const struct layout *layout, struct span bracket, size_t indent, size_t after)
{
    const size_t inside = column(layout);

    if (bracket.at[-1] == '[')
        return false;
    return inside > layout->hang_from ||
           (opens_alone(layout) && weakest(bracket) == COMMA && inside > indent &&
            !arguments_fit(bracket, inside, after) && arguments_fit(bracket, indent, after));
}

/* The part before the longest bracket, the bracket broken inside, and the part behind it. */
static void put_bracket(struct layout *layout, struct span span, struct span bracket, size_t indent, size_t after)
{
    const size_t open = (size_t)(bracket.at - span.at), close = open + bracket.size;
    const struct span rest = span_part(span, close, span.size);

    put(layout, span_part(span, 0, open));
    const bool alone = opens_alone(layout);
    const size_t inside = column(layout), own = alone ? line_indent(layout) + 4 : indent + 4;
    const bool hang = hangs(layout, bracket, own, rest.size + after), below = inside + 30 < WRAP_WIDTH;
    layout->astray += hang ? !alone : !below;
    if (hang)
        new_line(layout, own);
    put_wrapped(layout, bracket, hang ? own : below ? inside : indent + 4, rest.size + after);
    put(layout, rest);
}

/* The chunks between breaks of this strength, as many on a line as fit. */
static void put_chunks(struct layout *layout, struct span span, enum strength strength, size_t indent, size_t after)
{
    bool broken = false;

    for (size_t from = 0, to; from < span.size; from = to + 1) {
        to = chunk_end(span, from, strength);
        const struct span chunk = span_part(span, from, to);
        const size_t behind = to == span.size ? after : 0, start = layout->line_start;
        if (from && (broken || column(layout) + 1 + chunk.size + behind > WRAP_WIDTH))
            new_line(layout, indent);
        else if (from)
            text_char(layout->out, ' ');
        const size_t line = layout->line_start;
        put_wrapped(layout, chunk, indent + (line != start || !from ? 0 : 4), behind);
        broken = layout->line_start != line;
    }
}

/* Is it better to break inside the bracket than at the operators around it? */
static bool prefers_bracket(struct span span, struct span bracket, enum strength strength, size_t indent)
{
    const size_t behind = span.size - (size_t)(bracket.at - span.at) - bracket.size;

    if (strength != PRODUCT)
        return bracket.size && strength == NO_BREAK;
    return bracket.size * 2 > span.size && behind <= SHORT && indent + bracket.size + SHORT > WRAP_WIDTH;
}

/* span at the current place, further lines at indent, with room for `after` bytes behind it. */
static void put_wrapped(struct layout *layout, struct span span, size_t indent, size_t after)
{
    const struct span bracket = longest_bracket(span);
    const enum strength strength = weakest(span);

    if (column(layout) + span.size + after <= WRAP_WIDTH)
        put(layout, span);
    else if (prefers_bracket(span, bracket, strength, indent))
        put_bracket(layout, span, bracket, indent, after);
    else if (strength != NO_BREAK)
        put_chunks(layout, span, strength, indent, after);
    else
        put(layout, span);
}

/* The end of `target =` in an assignment or declaration; 0: it is none. */
static size_t assignment_end(struct span line)
{
    int depth = 0;

    for (size_t at = 0; at < line.size; at++) {
        depth += nesting_change(line.at[at]);
        if (!depth && at && line.at[at] == ' ' && line.at[at - 1] == '=')
            return at;
    }
    return 0;
}

/* The longest chunk between the weakest connections. */
static size_t longest_chunk(struct span span)
{
    const enum strength strength = weakest(span);
    size_t longest = 0;

    for (size_t from = 0, to; from < span.size; from = to + 1) {
        to = chunk_end(span, from, strength);
        longest = to - from > longest ? to - from : longest;
    }
    return longest;
}

/* Do the parts of a call have room when it starts at this column? */
static bool call_fits(struct span call, size_t start)
{
    const struct span bracket = longest_bracket(call);

    return start + (call.size - bracket.size) + longest_chunk(bracket) <= WRAP_WIDTH;
}

/* A call may start beside a short target, anything beside a tiny one; everything else goes to the next line. */
static void put_assignment(struct layout *layout, struct span line, size_t end, size_t indent)
{
    const struct span value = span_part(line, end + 1, line.size);
    const bool call =
        weakest(value) == NO_BREAK && (layout->beside || (end <= TARGET && call_fits(value, indent + end + 1)));
    const bool beside = (call || end <= TINY) && indent + 4 + value.size > WRAP_WIDTH;

    put_wrapped(layout, span_part(line, 0, end), indent + 4, 0);
    if (beside)
        text_char(layout->out, ' ');
    else
        new_line(layout, indent + 4);
    put_wrapped(layout, value, indent + 4, 0);
}

/* The end of the clause that starts at `from`: the next blank outside of brackets that stands behind one. */
static size_t clause_end(struct span span, size_t from)
{
    int depth = 0;

    for (size_t at = from; at < span.size; at++) {
        depth += nesting_change(span.at[at]);
        if (!depth && at > from && span.at[at] == ' ' && span.at[at - 1] == ')')
            return at;
    }
    return span.size;
}

/* A line of the preprocessor goes on behind a backslash, with whole clauses. */
static void put_directive(struct layout *layout, struct span line, size_t indent)
{
    for (size_t from = 0, to; from < line.size; from = to + 1) {
        to = clause_end(line, from);
        const struct span clause = span_part(line, from, to);
        if (from && column(layout) + 1 + clause.size + 2 > WRAP_WIDTH) {
            text_add(layout->out, " \\");
            new_line(layout, indent);
        } else if (from) {
            text_char(layout->out, ' ');
        }
        put(layout, clause);
    }
}

static void put_line(struct layout *layout, size_t indent, struct span line)
{
    const size_t end = weakest(line) == COMMA ? 0 : assignment_end(line);

    text_addf(layout->out, "%*s", (int)indent, "");
    if (line.at[0] == '#')
        put_directive(layout, line, indent + 4);
    else if (end && indent + line.size > WRAP_WIDTH)
        put_assignment(layout, line, end, indent);
    else
        put_wrapped(layout, line, indent + 4, 0);
    text_char(layout->out, '\n');
}

static int long_lines(const char *text)
{
    int n = 0;

    for (size_t size; *text; text += size + 1) {
        size = strcspn(text, "\n");
        n += size > WRAP_WIDTH;
    }
    return n;
}

static int breaks_in_subscripts(const char *text)
{
    int n = 0, depth = 0;

    for (; *text; text++) {
        depth += (*text == '[') - (*text == ']');
        n += depth > 0 && *text == '\n';
    }
    return n;
}

/* How bad the lines are to read. */
static int badness(const struct layout *layout, size_t start)
{
    enum { LONG = 1000, SUBSCRIPT = 10, ASTRAY = 5 };
    const char *text = text_str(layout->out) + start;

    return LONG * long_lines(text) + SUBSCRIPT * breaks_in_subscripts(text) + ASTRAY * layout->astray;
}

/* From which column on brackets hang: the ways to break a line, most usual first; further ones are the same with calls
 * beside their targets. */
static const size_t hang_from[] = {WRAP_WIDTH, 80, 70, 60, 50, 40, 30};

enum { N_HANG = (int)(sizeof(hang_from) / sizeof(hang_from[0])) };

/* Adds the line in the way numbered k, and returns how bad that is. */
static int put_line_in_way(struct text *out, size_t start, int indent, const char *line, int k)
{
    struct layout layout = {out, start, hang_from[k % N_HANG], .beside = k >= N_HANG};

    text_truncate(out, start);
    put_line(&layout, (size_t)indent, span_of(line));
    return badness(&layout, start);
}

/* In the first of the best ways. */
void wrap_line(struct text *out, int indent, const char *line)
{
    const size_t start = out->size;
    int best = INT_MAX, chosen = 0;

    for (int k = 0; k < 2 * N_HANG && best > 0; k++) {
        const int bad = put_line_in_way(out, start, indent, line, k);
        chosen = bad < best ? k : chosen;
        best = bad < best ? bad : best;
    }
    put_line_in_way(out, start, indent, line, chosen);
}

/* How well a line of words ends before this blank: behind a comma or semicolon, before an operator, anywhere;
 * all the worse inside brackets. */
static int break_quality(const char *words, size_t at, int depth)
{
    const struct span rest = {words, strlen(words)};
    const enum strength strength = strength_at(rest, at);
    const int quality = strength <= COMMA ? 3 : strength == SUM || strength == AND || strength == OR ? 2 : 1;

    return quality - 2 * depth;
}

/* How many bytes of words to put on a line with this much room: to the best break in its latter half, else the last. */
static size_t words_that_fit(const char *words, size_t room)
{
    size_t best = 0;
    int best_quality = 0, depth = 0;

    if (strlen(words) <= room)
        return strlen(words);
    for (size_t at = 1; at <= room; at++) {
        depth += nesting_change(words[at - 1]) * (strchr("[]", words[at - 1]) ? 4 : 1);
        if (words[at] != ' ')
            continue;
        const int quality = break_quality(words, at, depth);
        if (best <= room / 2 || quality >= best_quality) {
            best = at;
            best_quality = quality;
        }
    }
    return best ? best : strcspn(words, " ");
}

void wrap_words(struct text *out, const char *prefix, const char *rest, const char *words)
{
    for (const char *lead = prefix; *words; lead = rest) {
        const size_t used = strlen(lead);
        const size_t size = words_that_fit(words, used + 20 < WRAP_WIDTH ? WRAP_WIDTH - used : 20);
        text_addf(out, "%s%.*s\n", lead, (int)size, words);
        words += size + strspn(words + size, " ");
    }
}
