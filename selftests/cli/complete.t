#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Completion, asked as the shells ask: bash through the function it calls, zsh through a terminal.
. "$(dirname "$0")/../lib.sh"

PATH=$(dirname "$TOOL"):$PATH

# names WORD...: what may follow, without the explanations
names() { "$TOOL" complete "$@" | cut -f 1; }

exits 0 'complete' "$TOOL" complete
is 'the verbs are those of help' "$(names | paste -sd ' ')" \
	"$("$TOOL" help | sed -n 's/^  xdp-cpumap \([a-z]*\) .*/\1/p' | paste -sd ' ')"
is 'complete does not offer itself' "$(names | grep -cx complete)" 0
for verb in $(names); do
	is "$verb: the options are those of help $verb" \
		"$(names "$verb" | grep '^--' | paste -sd ' ')" \
		"$("$TOOL" help "$verb" | sed -n 's/^  *\(--[a-z-]*\)[[ ].*/\1/p' | paste -sd ' ')"
done
check 'interfaces are offered' grep -qx lo <<<"$(names unload)"
is 'words an option takes' "$(names load --mode | paste -sd ' ')" 'auto native skb'
is 'an option without a value is followed by the others' "$(names load --force)" "$(names load)"
is 'a file is for the shell to find' "$(names load --config)" @file
exits 0 'an unknown verb has no continuation' "$TOOL" complete xyzzy
is 'none at all' "$out$err" ''

# bashes WORD...: what bash would offer for the last word
bashes() {
	bash -c '
		. "$1"
		shift
		COMP_WORDS=(xdp-cpumap "$@")
		COMP_CWORD=$#
		_xdp_cpumap
		printf "%s\n" "${COMPREPLY[@]}"
	' bash "$TOP/completions/xdp-cpumap.bash" "$@" 2>&1 | paste -sd ' '
}
is 'bash: a verb' "$(bashes unl)" unload
is 'bash: an option' "$(bashes load eth0 --sec)" --second-stage
is 'bash: its value' "$(bashes load eth0 --mode n)" native
is 'bash: its value behind =' "$(bashes load eth0 --mode = n)" native
is 'bash: all its values behind =' "$(bashes load eth0 --second-stage =)" 'pass none'
is 'bash: an interface' "$(bashes status l | tr ' ' '\n' | grep -x lo)" lo
touch "$work/file one.conf"
is 'bash: a file' "$(bashes load lo --config "$work/fi")" "$work/file one.conf"

# zshes LINE: what zsh makes of the line and a tab, in a terminal of its own
zshes() { python3 "$TOP/selftests/cli/zsh_tab.py" "$TOP/completions" "$1"; }
if ! command -v zsh >/dev/null; then
	skip 'zsh completes' 'zsh is not installed'
else
	is 'zsh: a verb' "$(zshes 'xdp-cpumap unl')" 'xdp-cpumap unload'
	is 'zsh: an option' "$(zshes 'xdp-cpumap load eth0 --sec')" 'xdp-cpumap load eth0 --second-stage'
	is 'zsh: its value' "$(zshes 'xdp-cpumap load eth0 --mode n')" 'xdp-cpumap load eth0 --mode native'
	is 'zsh: its value behind =' "$(zshes 'xdp-cpumap load --mode=n')" 'xdp-cpumap load --mode=native'
	is 'zsh: a file' "$(zshes "xdp-cpumap load lo --config $work/fi")" \
		"xdp-cpumap load lo --config $work/file\\ one.conf"
fi
finish
