#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Help, version and mistakes in the words: what goes to stdout, what to stderr, which exit code.
. "$(dirname "$0")/../lib.sh"

for words in --help help -h; do
	exits 0 "'$words' is no error" "$TOOL" $words
	is "'$words': and says nothing on stderr" "$err" ''
	for verb in load set prefix unload status stats; do
		like "'$words' tells of $verb" "$out" "^ *xdp-cpumap $verb\b"
	done
done
for verb in load set prefix unload status stats; do
	exits 0 "help $verb" "$TOOL" help $verb
	said=$out
	exits 0 "$verb --help" "$TOOL" $verb --help
	is "$verb --help says the same" "$out" "$said"
done
for option in cpus qsize lanes mode match max-prefixes second-stage reorder dispatcher netns force dry-run json; do
	like "help load tells of --$option" "$("$TOOL" help load)" "--$option\b"
done
exits 0 'version' "$TOOL" --version
like 'version is a number' "$out" '^xdp-cpumap [0-9]+\.[0-9]+'

# mistake PATTERN WORDS...: exit code 2, nothing on stdout, and a sentence on stderr
mistake() {
	local pattern=$1

	shift
	exits 2 "'$*' is refused" "$TOOL" "$@"
	is "'$*': nothing on stdout" "$out" ''
	like "'$*': the sentence" "$err" "$pattern"
}
mistake 'did you mean .*load' laod eth0
mistake 'did you mean .*status' statsu
mistake 'did you mean .*unload' unlaod eth0
mistake "no verb|unknown|'xyzzy'" xyzzy
mistake 'xyzzy' help xyzzy
# no0 is no interface, should one of these be taken all the same.
mistake 'IFACE|interface' load
mistake 'IFACE|interface' unload
mistake 'no1|one interface|too many|more than' load no0 no1 --cpus 0
mistake 'frobnicate' load no0 --frobnicate
mistake 'cpus' load no0 --cpus
mistake 'force' load no0 --cpus 0 --force=yes
mistake 'cpus' status --cpus 0
mistake 'qsize' unload no0 --qsize 5
mistake 'interface|name' load '' --cpus 0
mistake 'interface|name' load ../no0 --cpus 0
mistake 'interface|name|long' load an-interface-name-that-is-too-long --cpus 0
# A word cut short could mean --dry-run or --dispatcher.
mistake "--d'" load no0 --cpus 0 --d
finish
