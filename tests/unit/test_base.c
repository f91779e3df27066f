#include "base/arena.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/names.h"
#include "base/text.h"
#include "base/utf8.h"
#include "unit.h"

#include <stdint.h>
#include <string.h>

static int released[3], n_released;

static void note_release(void *object)
{
    released[n_released++] = *(int *)object;
}

START_TEST(arena_gives_zeroed_aligned_memory)
{
    struct arena *arena = arena_new();

    for (size_t size = 1; size < 200000; size = size * 3 + 1) {
        unsigned char *memory = arena_alloc(arena, size, 1);

        ck_assert_uint_eq((uintptr_t)memory % 16, 0);
        for (size_t i = 0; i < size; i++)
            ck_assert_uint_eq(memory[i], 0);
        memset(memory, 0xa5, size);
    }
    arena_free(arena);
}
END_TEST

START_TEST(arena_gives_back_what_a_mark_is_before)
{
    struct arena *arena = arena_new();
    char *kept = arena_copy(arena, "kept");
    const struct arena_mark mark = arena_mark(arena);
    unsigned char *first = NULL;

    for (int round = 0; round < 3; round++) {
        for (size_t size = 1; size < 200000; size = 3 * size + 1) {
            unsigned char *memory = arena_alloc(arena, size, 1);
            for (size_t k = 0; k < size; k++)
                ck_assert_int_eq(memory[k], 0);
            memset(memory, 1, size);
            first = size == 1 && round == 0 ? memory : first;
            ck_assert(size > 1 || memory == first);
        }
        for (int k = 0; k < 3000; k++)
            memset(arena_alloc(arena, 100, 1), 1, 100);
        arena_rewind(arena, mark);
    }
    ck_assert_str_eq(kept, "kept");
    arena_free(arena);
}
END_TEST

START_TEST(arena_releases_in_reverse_order)
{
    static int one = 1, two = 2, three = 3;
    struct arena *arena = arena_new();

    arena_on_free(arena, note_release, &one);
    arena_on_free(arena, note_release, &two);
    arena_on_free(arena, note_release, &three);
    arena_free(arena);
    arena_free(NULL);
    ck_assert_int_eq(n_released, 3);
    ck_assert_int_eq(released[0], 3);
    ck_assert_int_eq(released[2], 1);
}
END_TEST

START_TEST(vec_keeps_elements_while_growing)
{
    struct arena *arena = arena_new();
    VEC(int) numbers = {0};

    for (int i = 0; i < 1000; i++)
        VEC_PUSH(arena, &numbers, i);
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(numbers.at[i], i);
    arena_free(arena);
}
END_TEST

START_TEST(text_grows_truncates_and_is_taken)
{
    struct text text = {0};
    char *taken;

    ck_assert_str_eq(text_str(&text), "");
    for (int i = 0; i < 100; i++)
        text_addf(&text, "%d,", i);
    text_truncate(&text, 4);
    text_add(&text, "end");
    text_char(&text, '!');
    ck_assert_str_eq(text_str(&text), "0,1,end!");
    taken = text_take(&text);
    ck_assert_str_eq(taken, "0,1,end!");
    free(taken);
    taken = text_take(&text);
    ck_assert_str_eq(taken, "");
    free(taken);
    text_free(&text);
}
END_TEST

START_TEST(utf8_knows_well_formed_characters)
{
    ck_assert_uint_eq(utf8_length("a", 1), 1);
    ck_assert_uint_eq(utf8_length("\xc3\xa4", 2), 2);
    ck_assert_uint_eq(utf8_length("\xe2\x82\xac", 3), 3);
    ck_assert_uint_eq(utf8_length("\xf0\x9f\x98\x80", 4), 4);
    ck_assert_uint_eq(utf8_length("", 0), 0);
    ck_assert_uint_eq(utf8_length("\xe2\x82", 2), 0);         /* cut off */
    ck_assert_uint_eq(utf8_length("\xc0\xaf", 2), 0);         /* overlong */
    ck_assert_uint_eq(utf8_length("\xe0\x80\xaf", 3), 0);     /* overlong */
    ck_assert_uint_eq(utf8_length("\xed\xa0\x80", 3), 0);     /* surrogate */
    ck_assert_uint_eq(utf8_length("\xf4\x90\x80\x80", 4), 0); /* above U+10FFFF */
    ck_assert_uint_eq(utf8_length("\x80", 1), 0);
}
END_TEST

START_TEST(json_strings_are_escaped)
{
    struct text text = {0};

    json_string(&text, "a\"b\\c\n\t\r\x01\x7f\xc3\xa4\xff");
    ck_assert_str_eq(text_str(&text), "\"a\\\"b\\\\c\\n\\t\\r\\u0001\\u007f\xc3\xa4\\ufffd\"");
    text_free(&text);
}
END_TEST

static struct source source_of(const char *text)
{
    return (struct source){"t.json", text, strlen(text)};
}

static void check_print(const char *text, size_t offset, size_t length, const char *expected)
{
    struct arena *arena = arena_new();
    struct diags *diags = diags_new(arena);
    const struct source source = source_of(text);
    struct text out = {0};

    diag_error(diags, "rule", (struct place){&source, offset, length}, "message");
    ck_assert_int_eq(diags->errors, 1);
    diags_print(diags, &out);
    ck_assert_str_eq(text_str(&out), expected);
    text_free(&out);
    arena_free(arena);
}

START_TEST(diag_points_at_the_place)
{
    check_print("{\n  \"by\": 0\n}\n", 10, 1,
                "t.json:2:9: error: message [rule]\n    2 |   \"by\": 0\n      |         ^\n");
    check_print("abc def", 4, 3, "t.json:1:5: error: message [rule]\n    1 | abc def\n      |     ^~~\n");
}
END_TEST

START_TEST(diag_caret_stands_right_below_tabs_and_utf8)
{
    check_print("\t\xc3\xa4\xe2\x82\xac def", 7, 3,
                "t.json:1:8: error: message [rule]\n    1 | \t\xc3\xa4\xe2\x82\xac def\n      | \t   ^~~\n");
    check_print("\xc3\xa4\xc3\xb6x", 0, 4,
                "t.json:1:1: error: message [rule]\n    1 | \xc3\xa4\xc3\xb6x\n      | ^~\n");
    check_print("\xff\x1bq", 2, 1, "t.json:1:3: error: message [rule]\n    1 | ?\?q\n      |   ^\n");
}
END_TEST

START_TEST(diag_copes_with_the_edges_of_a_source)
{
    check_print("", 0, 0, "t.json:1:1: error: message [rule]\n    1 | \n      | ^\n");
    check_print("ab\n", 3, 0, "t.json:2:1: error: message [rule]\n    2 | \n      | ^\n");
    check_print("ab", 900, 900, "t.json:1:3: error: message [rule]\n    1 | ab\n      |   ^\n");
    check_print("ab\ncd", 1, 4, "t.json:1:2: error: message [rule]\n    1 | ab\n      |  ^\n");
    check_print("ab\r\ncd", 0, 6, "t.json:1:1: error: message [rule]\n    1 | ab\n      | ^~\n");
}
END_TEST

START_TEST(diag_shows_part_of_a_long_line)
{
    struct arena *arena = arena_new();
    struct diags *diags = diags_new(arena);
    struct text line = {0}, out = {0};
    struct source source;
    const char *text, *caret;

    for (int i = 0; i < 3000; i++)
        text_add(&line, i == 1500 ? "X" : "\xc3\xa4");
    source = source_of(text_str(&line));
    diag_error(diags, "rule", (struct place){&source, 3000, 1}, "message");
    diags_print(diags, &out);
    text = strstr(text_str(&out), "    1 | ...");
    caret = strstr(text_str(&out), "      | ");
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_lt(out.size, 400);
    ck_assert_ptr_nonnull(strstr(caret, "^\n"));
    ck_assert_ptr_nonnull(strstr(text, "\xc3\xa4X\xc3\xa4"));
    text_free(&line);
    text_free(&out);
    arena_free(arena);
}
END_TEST

START_TEST(diag_prints_notes_and_hint)
{
    struct arena *arena = arena_new();
    struct diags *diags = diags_new(arena);
    const struct source source = source_of("ab cd");
    struct text out = {0};
    struct diag *diag = diag_error(diags, "order", (struct place){&source, 0, 2}, "bad %s", "order");

    diag_note(diags, diag, (struct place){&source, 3, 2}, "declared here");
    diag_note(diags, diag, PLACE_NONE, "N = %d\x1b[1m", 3);
    diag_hint(diags, diag, "skew \"%s\"", "i");
    diag_warning(diags, NULL, PLACE_NONE, "careful");
    diags_print(diags, &out);
    ck_assert_int_eq(diags->errors, 1);
    ck_assert_str_eq(text_str(&out), "t.json:1:1: error: bad order [order] PN0801\n    1 | ab cd\n      | ^~\n"
                                     "t.json:1:4: note: declared here\n    1 | ab cd\n      |    ^~\n"
                                     "      = note: N = 3?[1m\n      = hint: skew \"i\"\n"
                                     "polynest: warning: careful\n");
    text_truncate(&out, 0);
    diags_print_json(diags, &out);
    ck_assert_ptr_nonnull(
        strstr(text_str(&out), "\"line\": 1, \"column\": 1, \"end_column\": 3, \"severity\": \"error\""));
    ck_assert_ptr_nonnull(strstr(text_str(&out), "\"hint\": \"skew \\\"i\\\"\""));
    ck_assert_ptr_nonnull(strstr(text_str(&out), "\"file\": null, \"line\": null"));
    text_free(&out);
    arena_free(arena);
}
END_TEST

START_TEST(place_part_stays_inside)
{
    const struct source source = source_of("0123456789");
    const struct place place = {&source, 2, 5};

    ck_assert_uint_eq(place_part(place, 1, 2).offset, 3);
    ck_assert_uint_eq(place_part(place, 1, 2).length, 2);
    ck_assert_uint_eq(place_part(place, 4, 9).length, 1);
    ck_assert_uint_eq(place_part(place, 9, 9).length, 0);
}
END_TEST

START_TEST(identifiers_are_told_from_other_text)
{
    char longest[300];

    memset(longest, 'a', sizeof(longest));
    longest[255] = '\0';
    ck_assert(name_is_identifier("a") && name_is_identifier("_B9") && name_is_identifier(longest));
    longest[255] = 'a';
    longest[256] = '\0';
    ck_assert(!name_is_identifier(longest));
    ck_assert(!name_is_identifier("") && !name_is_identifier("1a") && !name_is_identifier("a-b"));
    ck_assert(!name_is_identifier("a b") && !name_is_identifier("\xc3\xa4"));
}
END_TEST

START_TEST(reserved_words_are_known)
{
    static const char *const reserved[] = {"int",        "restrict",  "class",    "min",          "size_t",
                                           "int64_t",    "threadIdx", "float4",   "__builtin",    "_Bool",
                                           "NULL",       "main",      "_mm512_x", "cudaFree",     "float32x4_t",
                                           "ulonglong2", "INT64_MAX", "errno",    "polynest_f16", "POLYNEST_F16"};
    static const char *const fine[] = {"i",       "N",      "alpha",     "mini",   "y1",
                                       "float_n", "float5", "int_table", "cudart", "t"};

    for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
        ck_assert_msg(name_is_reserved(reserved[i]), "%s", reserved[i]);
    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
        ck_assert_msg(!name_is_reserved(fine[i]), "%s", fine[i]);
}
END_TEST

START_TEST(slips_get_a_suggestion)
{
    static const char *const keys[] = {"split", "reorder", "tile", "i", "jj", "schedule"};

    ck_assert_str_eq(name_nearest("splti", keys, 6), "split");
    ck_assert_str_eq(name_nearest("Reorder", keys, 6), "reorder");
    ck_assert_str_eq(name_nearest("schedul", keys, 6), "schedule");
    ck_assert_str_eq(name_nearest("jjj", keys, 6), "jj");
    ck_assert_ptr_null(name_nearest("k", keys, 6));
    ck_assert_ptr_null(name_nearest("vectorize", keys, 6));
    ck_assert_ptr_null(name_nearest("", keys, 6));
}
END_TEST

START_TEST(unique_names_avoid_used_and_reserved_ones)
{
    struct arena *arena = arena_new();
    struct names names = {.arena = arena};

    names_add(&names, "i");
    names_add(&names, "i_1");
    ck_assert_str_eq(names_unique(&names, "i"), "i_2");
    ck_assert_str_eq(names_unique(&names, "i"), "i_3");
    ck_assert_str_eq(names_unique(&names, "int"), "int_1");
    ck_assert(names_has(&names, "int_1") && !names_has(&names, "int"));
    arena_free(arena);
}
END_TEST

UNIT_MAIN("base", arena_gives_zeroed_aligned_memory, arena_gives_back_what_a_mark_is_before,
          arena_releases_in_reverse_order, vec_keeps_elements_while_growing, text_grows_truncates_and_is_taken,
          utf8_knows_well_formed_characters, json_strings_are_escaped, diag_points_at_the_place,
          diag_caret_stands_right_below_tabs_and_utf8, diag_copes_with_the_edges_of_a_source,
          diag_shows_part_of_a_long_line, diag_prints_notes_and_hint, place_part_stays_inside,
          identifiers_are_told_from_other_text, reserved_words_are_known, slips_get_a_suggestion,
          unique_names_avoid_used_and_reserved_ones)
