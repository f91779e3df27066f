# Completion of polynest for fish. Verbs, options and steps are asked of the program itself.
function __polynest_verbs
    polynest help 2> /dev/null | string replace -rf '^  polynest ([a-z]+)(?: \S+)?  +(.*)' '$1\t$2'
end
function __polynest_steps
    polynest primitives 2> /dev/null | string replace -rf '^([a-z_]+): (.*)' '$1\t$2'
end
function __polynest_starts
    polynest new 2> /dev/null | string replace -rf '^  ([a-z0-9_]+) +(.*)' '$1\t$2'
end
function __polynest_options
    set -l verb (commandline -opc)[2]
    string match -q '*.json' -- $verb; and set verb emit
    polynest help $verb 2> /dev/null | string replace -rf '^  (-[A-Za-z-]+=?)\S* *(?:[A-Z]+ +)?(.*)' '$1\t$2'
end
complete -c polynest -n __fish_use_subcommand -xa '(__polynest_verbs)'
complete -c polynest -n __fish_use_subcommand -k -xa '(__fish_complete_suffix .json)'
complete -c polynest -n '__fish_seen_subcommand_from help' -xa '(__polynest_steps; __polynest_verbs)'
complete -c polynest -n '__fish_seen_subcommand_from new' -xa '(__polynest_starts)'
complete -c polynest -n 'string match -q -- "-*" (commandline -ct); and not __fish_use_subcommand' -a '(__polynest_options)'
