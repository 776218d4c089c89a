# Completion of nandlife for bash; made by: nandlife generate bash
_nandlife()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local option command='' options formats words i

	# bash takes --format=json apart at the equals sign
	case $cur in
	=) option=$prev cur='' ;;
	*) [[ $prev == = ]] && option=${COMP_WORDS[COMP_CWORD - 2]} || option=$prev ;;
	esac
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		=) ((i++)) ;;
		--capacity | --pe | --daily | --waf | --unevenness | --years | --logical-pages | --preset | --page-size | --pages-per-block | --spare | --superblock | --parity | --bad-blocks | --held-back | --compressed | --policy | --ties | --frontiers | --separate | --gc-start | --gc-stop | --wear-leveling | --wear-leveling-spread | --reuse | --read-limit | --refresh-age | --pe-cv | --workload | --reads-per-write | --request-size | --align | --partition-start | --partial | --reads | --trims | --trace-format | --trace-device | --trace-map | --trim-probability | --precision | --warmup | --engine | --sweep | --replicates | --jobs | --summarise | --warranty-years | --seed | --cell | --phases | --duration | --interval | --queue-depth | --channels | --dies | --flash-page | --program-size | --erase-size | --read-time | --program-time | --erase-time | --channel-speed | --link-speed | --host-time | --command-time | --search-time | --write-queue | --coalesce | --gc | --cache | --cache-mode | --cache-overflow | --cache-fold | --cache-hold | --scale | --overprovision | --writes | --fill | --trim | --instead-of | --fill-now | --trim-now | --html | --mail-to | --window | --lead-time | --drive | --since | --until | --show | --over | --output | -o | --firmware | --size | --via | --timeout | --from | --at | --db | --limit | --drive-db | --format | --config) [[ ${COMP_WORDS[i + 1]} == = ]] || ((i++)) ;;
		-*) ;;
		*) [[ $command ]] || command=${COMP_WORDS[i]} ;;
		esac
	done

	case $command in
	list)
		options='--via --wake --events --timeout --from --at --db --limit --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json csv'
		words='drives'
		;;
	show)
		options='--via --wake --events --timeout --from --at --db --limit --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json'
		words='drives'
		;;
	health)
		options='--via --wake --events --timeout --from --at --db --limit --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json nagios openmetrics'
		words='drives'
		;;
	life)
		options='--capacity --pe --daily --waf --unevenness --years --via --wake --events --timeout --from --at --db --limit --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json csv openmetrics'
		words='drives'
		;;
	capture)
		options='--redact --output --via --wake --events --timeout --from --at --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='json'
		words='drives'
		;;
	record)
		options='--via --wake --events --timeout --db --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json'
		words='drives'
		;;
	import)
		options='--drive --db --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json'
		words=''
		;;
	history)
		options='--since --until --show --over --plot --all --redecode --dry-run --output --db --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json csv'
		words='backup export prune redecode'
		;;
	report)
		options='--html --csv --mail --mail-to --window --lead-time --via --wake --events --timeout --from --at --db --limit --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json csv'
		words='drives'
		;;
	simulate)
		options='--capacity --pe --daily --logical-pages --preset --page-size --pages-per-block --spare --superblock --parity --bad-blocks --held-back --compressed --policy --ties --frontiers --separate --gc-start --gc-stop --wear-leveling --wear-leveling-spread --reuse --read-limit --refresh-age --pe-cv --workload --reads-per-write --request-size --align --partition-start --partial --reads --trims --trace-format --trace-device --trace-map --skip-bad --trim-probability --precision --warmup --until-death --engine --sweep --replicates --jobs --summarise --warranty-years --analytic --seed --cell --phases --duration --interval --queue-depth --channels --dies --flash-page --program-size --erase-size --read-time --program-time --erase-time --channel-speed --link-speed --host-time --command-time --search-time --write-queue --coalesce --gc --gc-at-once --cache --cache-mode --cache-overflow --cache-fold --cache-hold --scale --overprovision --writes --fill --html --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json csv'
		words=''
		;;
	project)
		options='--overprovision --writes --fill --trim --instead-of --fill-now --trim-now --via --wake --events --timeout --from --at --db --limit --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json csv'
		words='drives'
		;;
	db)
		options='--firmware --size --drive-db --format --json --no-progress --config --quiet --verbose --help --version'
		formats='text json csv'
		words='list show lint presets'
		;;
	help)
		options='--config --quiet --verbose --help --version'
		formats=''
		words='list show health life capture record import history report simulate project db help limits findings metrics exit-codes'
		;;
	*)
		options='--help --version'
		formats=''
		words='list show health life capture record import history report simulate project db help'
		;;
	esac

	case $option in
	--summarise | --phases | --html | --output | -o | --from | --db | --config)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--drive-db)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return
		;;
	--format)
		mapfile -t COMPREPLY < <(compgen -W "$formats" -- "$cur")
		return
		;;
	--capacity | --pe | --daily | --waf | --unevenness | --years | --logical-pages | --preset | --page-size | --pages-per-block | --spare | --superblock | --parity | --bad-blocks | --held-back | --compressed | --policy | --ties | --frontiers | --separate | --gc-start | --gc-stop | --wear-leveling | --wear-leveling-spread | --reuse | --read-limit | --refresh-age | --pe-cv | --workload | --reads-per-write | --request-size | --align | --partition-start | --partial | --reads | --trims | --trace-format | --trace-device | --trace-map | --trim-probability | --precision | --warmup | --engine | --sweep | --replicates | --jobs | --warranty-years | --seed | --cell | --duration | --interval | --queue-depth | --channels | --dies | --flash-page | --program-size | --erase-size | --read-time | --program-time | --erase-time | --channel-speed | --link-speed | --host-time | --command-time | --search-time | --write-queue | --coalesce | --gc | --cache | --cache-mode | --cache-overflow | --cache-fold | --cache-hold | --scale | --overprovision | --writes | --fill | --trim | --instead-of | --fill-now | --trim-now | --mail-to | --window | --lead-time | --drive | --since | --until | --show | --over | --firmware | --size | --via | --timeout | --at | --limit) return ;;
	esac

	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
	elif [[ $words == drives ]]; then
		[[ $cur == /dev/disk/* ]] && compopt -o filenames &&
			mapfile -t COMPREPLY < <(compgen -f -- "$cur") && return
		mapfile -t COMPREPLY < <(compgen -W "$(compgen -G '/dev/nvme[0-9]*';
			compgen -G '/dev/sd*[a-z]')" -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		[[ ${#COMPREPLY[@]} -gt 0 ]] || { compopt -o filenames &&
			mapfile -t COMPREPLY < <(compgen -f -- "$cur"); }
	fi
}
complete -F _nandlife nandlife
