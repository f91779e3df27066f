# The pages of the steps, doc/manual/steps/*.md, as one man page: awk -f steps-man.awk PAGE.. > polynest-steps.7
#
# Of Markdown it knows what these pages have: headings, paragraphs, lists, code, `words` and links.

function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text
}

# `words` are bold, of [words](link) the words stay.
function inline(text,    out, part) {
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        part = substr(text, RSTART + 1, RLENGTH - 1)
        sub(/\]\(.*/, "", part)
        text = substr(text, 1, RSTART - 1) part substr(text, RSTART + RLENGTH)
    }
    text = escaped(text)
    while (match(text, /`[^`]*`/)) {
        out = out substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART + 1, RLENGTH - 2) "\\fR"
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

# A line that begins with . or ' would be a request.
function put(text) { print (text ~ /^[.']/ ? "\\&" : "") text }

BEGIN {
    print ".TH POLYNEST-STEPS 7 \"\" \"polynest\" \"polynest\""
    print ".SH NAME"
    print "polynest\\-steps \\- the steps of schedules and plans"
    print ".SH DESCRIPTION"
    print "What each step does, its arguments, what is proved, and an example with the loops before and after it."
    print ".B polynest help STEP"
    print "prints one of these pages."
}
code && /^```/ { print ".fi"; print ".RE"; code = 0; next }
code { put(escaped($0)); next }
/^```/ { print ".PP"; print ".RS 2"; print ".nf"; code = 1; next }
/^# / { text = substr($0, 3); name = text; sub(/:.*/, "", name); sub(/^[^:]*: */, "", text)
        print ".SH " toupper(name); put("\\fB" escaped(name) "\\fR: " inline(text) "."); next }
/^## / { print ".SS " escaped(substr($0, 4)); next }
/^\* / { print ".IP \\(bu 2"; put(inline(substr($0, 3))); next }
/^$/ { print ".PP"; next }
{ sub(/^ +/, ""); put(inline($0)) }
END {
    print ".SH SEE ALSO"
    print ".BR polynest (1)"
}
