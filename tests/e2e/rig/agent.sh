# Serves commands from the host: a line "ID LIMIT BASE64" on the serial port runs the decoded script and is
# answered by a line "ID STATUS BASE64-OF-STDOUT BASE64-OF-STDERR" (a lone "-" stands for nothing). Each
# runs in the background, so that one that hangs in the kernel does not hold up the next.
set -- /dev/vport*p1
exec 3<>"$1"
encode()
{
	if [ -s "$1" ]; then base64 -w 0 "$1"; else printf -; fi
}

job()
{
	printf %s "$3" | base64 -d >"/run/$1.sh"
	timeout -s KILL "$2" sh "/run/$1.sh" >"/run/$1.out" 2>"/run/$1.err" </dev/null 3>&-
	status=$?
	echo "$1 $status $(encode "/run/$1.out") $(encode "/run/$1.err")" >"/run/$1.answer"
	flock /run/port cat "/run/$1.answer" >&3
	rm -f "/run/$1".*
}

: >/run/port
echo "ready 0 - -" >&3
while read -r id limit script <&3; do
	job "$id" "$limit" "$script" &
done
