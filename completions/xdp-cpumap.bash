# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Completion for bash: the binary knows what may follow.

_xdp_cpumap() {
	local cur=${COMP_WORDS[COMP_CWORD]} before=("${COMP_WORDS[@]:1:COMP_CWORD-1}") answers

	COMPREPLY=()
	# bash splits --mode=skb at the '=', which is a word then.
	if [[ $cur == = ]]; then
		cur=
	elif [[ ${before[*]: -1} == = ]]; then
		unset 'before[-1]'
	fi
	answers=$("${COMP_WORDS[0]}" complete "${before[@]}" 2>/dev/null | cut -f 1)
	if [[ $answers == @file ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -W "$answers" -- "$cur")
	fi
}
complete -F _xdp_cpumap xdp-cpumap
