#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Yocto's recipe, as far as it can be seen without bitbake: its words, and its functions in a shell.
. "$(dirname "$0")/../lib.sh"

recipe=$(compgen -G "$TOP/packaging/yocto/*.bb")
version=$("$TOOL" --version | cut -d ' ' -f 2)
is 'the file is named after the version' "${recipe##*/}" "xdp-cpumap_$version.bb"
is 'the checksum is that of the license' "$(sed -n 's/.*md5=\([0-9a-f]*\).*/\1/p' "$recipe")" \
	"$(md5sum <"$TOP/LICENSE" | cut -d ' ' -f 1)"

# What bitbake's parser takes (ConfHandler.py, BBHandler.py), line by line, joined at backslashes.
check 'every line is one that bitbake knows' python3 - "$recipe" <<-'END'
	import re, sys
	text = re.sub(r"\\\n", " ", open(sys.argv[1]).read())
	name = r"[A-Za-z0-9_+.${}/:~-]+"
	kinds = {
	    "assignment": re.compile(rf'^(export\s+)?{name}(\[[\w-]+\])?\s*(=|:=|\?\?=|\?=|\+=|=\+|\.=|=\.)\s*("([^"]|\\")*"|\'[^\']*\')$'),
	    "directive": re.compile(r"^(inherit|require|include)\s+\S.*$"),
	    "comment": re.compile(r"^#"),
	}
	inside, bad = False, []
	for number, line in enumerate(text.split("\n"), 1):
	    if inside:
	        inside = line != "}"
	    elif re.match(rf"^(python\s+)?{name}\(\)\s*{{$", line):
	        inside = True
	    elif line and not any(kind.match(line) for kind in kinds.values()):
	        bad.append(f"{number}: {line}")
	if inside:
	    bad.append("a function does not end")
	print("\n".join(bad))
	sys.exit(bool(bad))
END
variable() { sed -n ":a;/\\\\\$/{N;s/\\\\\n *//;ba};s/^$1 = \"\(.*\)\"/\1/p" "$recipe"; }
while read -r library; do
	[ "$library" = libxdp ] && library=xdp-tools
	like "it depends on $library" " $(variable DEPENDS) " " $library "
done < <(sed -n 's/^LIBS *:= //p' "$TOP/Makefile" | tr ' ' '\n')

# The functions with bitbake's variables filled in, on what is built here.
flags=$(variable EXTRA_OEMAKE | sed "s/\${@[^}]*}/bpfel/; s/'\${CC}'/gcc/")
while read -r name value; do
	flags=${flags//\$\{$name\}/$value}
done <<-'END'
	prefix /usr
	sbindir /usr/sbin
	mandir /usr/share/man
	systemd_system_unitdir /usr/lib/systemd/system
END
is 'every variable of EXTRA_OEMAKE is a known one' "$(grep -o '\${[^}]*}' <<<"$flags")" ''
sed -n '/^do_install() {/,/^}/p' "$recipe" | sed "s|\${D}|$work/image|g; s|\${sysconfdir}|/etc|g" >"$work/install.sh"
cat >>"$work/install.sh" <<-END
	oe_runmake() { make --no-print-directory -C '$TOP' O='$(dirname "$TOOL")' $flags "\$@"; }
	do_install
END
check 'do_install' sh -e "$work/install.sh"
read -ra units <<<"$(variable 'SYSTEMD_SERVICE:${PN}')"
for file in usr/sbin/xdp-cpumap "${units[@]/#/usr/lib/systemd/system/}" usr/share/man/man8/xdp-cpumap.8; do
	check "the image has /$file" test -s "$work/image/$file"
done
check 'the image has /etc/xdp-cpumap' test -d "$work/image/etc/xdp-cpumap"
finish
