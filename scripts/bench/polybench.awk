# The program that measures one kernel, made from its description as `polynest fmt` writes it: the same call of NAME and of
# PLAIN, the plain nest, on equal arrays. -v sizes="n=2000 alpha=1.5"
BEGIN {
    c["f64"] = "double"; c["f32"] = "float"; c["i8"] = "int8_t"; c["i32"] = "int32_t"; c["i64"] = "int64_t"
    n = split(sizes, word, " ")
    for (k = 1; k <= n; k++) { split(word[k], part, "="); value[part[1]] = part[2] }
}
function field(name) { return match($0, "\"" name "\": \"[^\"]*\"") ? unquoted(name) : "" }
function unquoted(name, text) {
    text = substr($0, RSTART, RLENGTH)
    sub("\"" name "\": \"", "", text)
    sub("\"$", "", text)
    return text
}
/^  "name":/ { kernel = field("name") }
/^  "params":/ {
    text = $0
    gsub(/.*\[|\].*|"| /, "", text)
    n_param = split(text, param, ",")
}
/"name": .*"type": "[a-z0-9]*"}/ && !/"role"/ {
    text = $0
    while (match(text, /\{"name": "[^"]*", "type": "[^"]*"\}/)) {
        one = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        split(one, part, "\"")
        scalar[++n_scalar] = part[4]
        scalar_type[n_scalar] = part[8]
    }
}
/"role":/ && field("role") != "temp" {
    array[++n_array] = field("name")
    type[n_array] = c[field("type")]
    out[n_array] = field("role") != "in"
    text = $0
    sub(/.*"shape": \[/, "", text)
    sub(/\].*/, "", text)
    gsub(/"/, "", text)
    n_dim = split(text, dim, ", *")
    count[n_array] = n_dim == 0 ? "1" : ""
    for (k = 1; k <= n_dim; k++) count[n_array] = count[n_array] (k > 1 ? " * " : "") "(size_t)(" dim[k] ")"
    row[n_array] = n_dim == 2 && dim[1] == dim[2] ? "(size_t)(" dim[1] ")" : "0"
}
function call(name, set, k) {
    printf "    %s(", name
    for (k = 1; k <= n_param; k++) printf "%s%s", (k > 1 ? ", " : ""), param[k]
    for (k = 1; k <= n_scalar; k++) printf ", %s", scalar[k]
    for (k = 1; k <= n_array; k++) printf ", array[%d].%s", k - 1, set
    print ");"
}
END {
    printf "#include \"polybench.h\"\n#include \"plain.h\"\n#include \"auto.h\"\n\n"
    for (k = 1; k <= n_param; k++) printf "static const int64_t %s = %s;\n", param[k], value[param[k]]
    for (k = 1; k <= n_scalar; k++) printf "static const %s %s = %s;\n", c[scalar_type[k]], scalar[k], value[scalar[k]]
    print "\nvoid describe(void)\n{"
    for (k = 1; k <= n_array; k++)
        printf "    add_array(sizeof(%s), %s, %s, %d);\n", type[k], count[k], row[k], out[k]
    print "}\n\nvoid run_plain(void)\n{"
    call("plain", "plain")
    print "}\n\nvoid run_auto(void)\n{"
    call("automatic", "other")
    print "}"
}
