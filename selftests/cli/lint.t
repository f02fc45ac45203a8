#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each check of scripts/lint finds what it is there to find, and says nothing about what is good.
. "$(dirname "$0")/../lib.sh"

house=$work/house
mkdir -p "$house"/{scripts,bpf,include/cpumap,loader/{lib,plan,facts,policy,cmd},selftests}
cp "$TOP/scripts/lint" "$house/scripts/"
cp "$TOP/.clang-format" "$house/"
cd "$house" || exit
git init -q .

write() { # FILE LINE...
	local file=$1

	shift
	printf '%s\n' '/* SPDX-License-Identifier: GPL-2.0 */' "$@" >"$file"
	git add -A
}
good() {
	write loader/lib/a.c '#include "lib/a.h"' 'int a(int b)' '{' "	return b;" '}'
	write loader/lib/a.h 'int a(int b);'
	write loader/plan/p.c '#include "facts/facts.h"' '#include "policy/policy.h"' '#include "lib/a.h"'
	write bpf/steer.bpf.c '#include "vmlinux.h"' '#include "parse.bpf.h"' '#include "cpumap/abi.h"'
}
good
exits 0 'a clean house' scripts/lint

# finds CHECK WHAT FILE LINE...: the check complains of the file, and the exit code is 1
finds() {
	local check=$1 name=$2 file=$3

	shift 3
	write "$file" "$@"
	exits 1 "$name: exit code" scripts/lint "$check"
	like "$name: names the file" "$out" "$file"
	rm "$file"
	good
	git add -A
}
finds layout 'spaces for tabs' loader/lib/b.c 'int a(int b)' '{' '        return b;' '}'
finds static 'an array read past its end' loader/lib/b.c 'int a(void)' '{' '	int b[2] = { 0 };' '' \
	'	return b[2];' '}'
finds python 'broken python' selftests/a.py 'def'
finds directions 'lib/ includes plan/' loader/lib/b.c '#include "plan/plan.h"'
finds directions 'facts/ includes plan/' loader/facts/b.c '#include "plan/plan.h"'
finds directions 'plan/ includes a header of facts/ that is not facts.h' loader/plan/b.c '#include "facts/iface.h"'
finds directions 'plan/ includes apply/' loader/plan/b.h '	#  include   "apply/apply.h"'
finds directions 'policy/ includes cmd/' loader/policy/b.c '#include "cmd/cmd.h"'
finds directions 'a header beside, without its folder, in another folder' loader/plan/b.c '#include "../apply/x.h"'
finds directions 'plan/ includes verb.h' loader/plan/b.c '#include "verb.h"'
finds directions 'plan/ includes a skeleton' loader/plan/b.c '#include "bpf/steer.skel.h"'
finds directions 'bpf/ includes loader/' bpf/b.bpf.c '#include "lib/a.h"'
finds directions 'include/ includes loader/' include/cpumap/b.h '#include "lib/a.h"'
finds words 'printk in bpf/' bpf/b.bpf.c '	bpf_printk("x");'
finds words 'system()' loader/lib/b.c '	system("x");'
finds words 'popen()' loader/lib/b.c '	popen("x", "r");'
finds words 'atoi()' loader/lib/b.c '	atoi("x");'
finds words 'goto' loader/lib/b.c '	goto out;'
finds words 'a note to oneself' loader/lib/b.c "/* ""TODO: more */"
printf '%s\n' '#!/bin/sh' 'rm $1' >selftests/a.sh
git add -A
exits 1 'an unquoted variable' scripts/lint shell
like 'an unquoted variable: names the file' "$out" 'selftests/a.sh:2'
printf '%s\n' 'int a;' >loader/lib/b.h
git add -A
exits 1 'no licence line' scripts/lint words
like 'no licence line: names the file' "$out" 'loader/lib/b.h'
finish
