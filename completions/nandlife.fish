# Completion of nandlife for fish; made by: nandlife generate fish
function __nandlife_drives
    string match -r '^/dev/(?:nvme[0-9].*|sd[a-z]+)$' -- /dev/nvme* /dev/sd*
end

complete -c nandlife -f
complete -c nandlife -n __fish_use_subcommand -a help -d 'explain a command'
complete -c nandlife -n '__fish_seen_subcommand_from help' -a 'help'
complete -c nandlife -n '__fish_seen_subcommand_from help' -l config -r -F -d 'read FILE instead of the system\'s nandlife.conf'
complete -c nandlife -n '__fish_seen_subcommand_from help' -s q -l quiet -d 'say only what needs attention'
complete -c nandlife -n '__fish_seen_subcommand_from help' -s v -l verbose -d 'say more: evidence and remarks too'
complete -c nandlife -n '__fish_seen_subcommand_from help' -s h -l help -d 'explain the command'
complete -c nandlife -n '__fish_seen_subcommand_from help' -s V -l version -d 'print the version'
