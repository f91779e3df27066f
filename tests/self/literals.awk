# literals.awk FILE..: string literals with C of more than one line, adjacent ones taken together. Text that the program emits
# and that is always the same belongs into templates/.
function check(text,    lines, n, k, some) {
    gsub(/%[-0-9.*]*(l|ll|z)?[a-z]/, "", text) # what values print
    n = split(text, lines, /\\n/)
    some = 0
    for (k = 1; k <= n; k++)
        some += lines[k] ~ /[^ \\]/
    if (some > 1) {
        print file ": " text
        found = 1
    }
}
# The literals of a file: what lies between two of them is blank where they are adjacent.
function check_file(    joined, between) {
    joined = ""
    while (match(whole, /"([^"\\]|\\.)*"/)) {
        between = substr(whole, 1, RSTART - 1)
        if (between !~ /^[ \\]*(PRI[a-zA-Z0-9]+)?[ \\]*$/) {
            check(joined)
            joined = ""
        }
        joined = joined substr(whole, RSTART + 1, RLENGTH - 2)
        whole = substr(whole, RSTART + RLENGTH)
    }
    check(joined)
}
FNR == 1 { check_file(); whole = ""; file = FILENAME }
/\\n/ || whole != "" { whole = whole " " $0 }
!/"/ { check_file(); whole = "" }
END { check_file(); exit found }
