# Completion of nandlife for fish; made by: nandlife generate fish
function __nandlife_drives
    string match -r '^/dev/(?:nvme[0-9].*|sd[a-z]+)$' -- /dev/nvme* /dev/sd*
end

complete -c nandlife -f
complete -c nandlife -n __fish_use_subcommand -a db -d 'list, look up and check the drive rules'
complete -c nandlife -n __fish_use_subcommand -a help -d 'explain a command'
complete -c nandlife -n '__fish_seen_subcommand_from db' -a 'list show lint'
complete -c nandlife -n '__fish_seen_subcommand_from db' -l firmware -x -d 'look up the model with this firmware'
complete -c nandlife -n '__fish_seen_subcommand_from db' -l size -x -d 'look up the model in this size, where its name does not tell'
complete -c nandlife -n '__fish_seen_subcommand_from db' -l drive-db -x -a '(__fish_complete_directories)' -d 'use the drive rules in DIR instead of the installed ones'
complete -c nandlife -n '__fish_seen_subcommand_from db' -l format -x -a 'text json csv' -d 'how to print the answer'
complete -c nandlife -n '__fish_seen_subcommand_from db' -l json -d 'the same as --format json'
complete -c nandlife -n '__fish_seen_subcommand_from db' -l no-progress -d 'do not show how far long work has come'
complete -c nandlife -n '__fish_seen_subcommand_from db' -l config -r -F -d 'read FILE instead of the system\'s nandlife.conf'
complete -c nandlife -n '__fish_seen_subcommand_from db' -s q -l quiet -d 'say only what needs attention'
complete -c nandlife -n '__fish_seen_subcommand_from db' -s v -l verbose -d 'say more: evidence and remarks too'
complete -c nandlife -n '__fish_seen_subcommand_from db' -s h -l help -d 'explain the command'
complete -c nandlife -n '__fish_seen_subcommand_from db' -s V -l version -d 'print the version'
complete -c nandlife -n '__fish_seen_subcommand_from help' -a 'db help limits findings exit-codes'
complete -c nandlife -n '__fish_seen_subcommand_from help' -l config -r -F -d 'read FILE instead of the system\'s nandlife.conf'
complete -c nandlife -n '__fish_seen_subcommand_from help' -s q -l quiet -d 'say only what needs attention'
complete -c nandlife -n '__fish_seen_subcommand_from help' -s v -l verbose -d 'say more: evidence and remarks too'
complete -c nandlife -n '__fish_seen_subcommand_from help' -s h -l help -d 'explain the command'
complete -c nandlife -n '__fish_seen_subcommand_from help' -s V -l version -d 'print the version'
