# A page of the documents from the HTML of its Markdown: awk -v title=.. -f html.awk. It gets a head, headings that links
# reach, and links to other pages as they are called here.

BEGIN {
    print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
    print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    print "<title>polynest: " title "</title>"
    print "<style>"
    print ":root { color-scheme: light dark; }"
    print "body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 1em auto; padding: 0 1em; }"
    print "pre { overflow-x: auto; padding: .6em; background: #8882; }"
    print "code { font-size: .9em; }"
    print "table { border-collapse: collapse; display: block; overflow-x: auto; }"
    print "th, td { border: 1px solid #8886; padding: .2em .5em; text-align: left; vertical-align: top; }"
    print "img { max-width: 100%; }"
    print "</style>\n</head>\n<body>"
}
# As GitHub makes them: letters, digits, - and _ of the words, in lower case.
/^<h[1-6]>/ {
    id = $0
    gsub(/<[^>]*>/, "", id)
    gsub(/&[a-z]*;/, "", id)
    id = tolower(id)
    gsub(/[^a-z0-9 _-]/, "", id)
    gsub(/ /, "-", id)
    sub(/>/, " id=\"" id "\">")
}
{
    line = $0
    out = ""
    while (match(line, /href="[^":]*\.md["#]/)) {
        out = out substr(line, 1, RSTART + RLENGTH - 5) ".html" substr(line, RSTART + RLENGTH - 1, 1)
        line = substr(line, RSTART + RLENGTH)
    }
    print out line
}
END { print "</body>\n</html>" }
