# SPDX-License-Identifier: GPL-2.0
# Yocto's recipe: in recipes-networking/xdp-cpumap/ of a layer that depends on meta-networking (xdp-tools),
# and on meta-clang before clang came to OE-Core. The source is the tarball of `make dist`, beside it in files/.
SUMMARY = "Spread received packets over CPUs, by XDP and cpumap"
DESCRIPTION = "Where one CPU receives more packets than it can carry through the network stack and the NIC \
cannot spread them, an XDP program hands each flow to another CPU."
LICENSE = "GPL-2.0-only"
LIC_FILES_CHKSUM = "file://LICENSE;md5=b234ee4d69f5fce4486a80fdaf4a4263"

SRC_URI = "file://xdp-cpumap-${PV}.tar.gz"

DEPENDS = "libbpf xdp-tools libmnl json-c libpcap elfutils zlib clang-native bpftool-native"

inherit pkgconfig systemd bash-completion

# Configured by the recipe alone: the byte order of the programs is that of the target.
EXTRA_OEMAKE = "V=1 CC='${CC}' CLANG=clang LLVM_STRIP=llvm-strip BPFTOOL=bpftool \
    BPF_TARGET=${@oe.utils.conditional('SITEINFO_ENDIANNESS', 'le', 'bpfel', 'bpfeb', d)} \
    PREFIX=${prefix} SBINDIR=${sbindir} MANDIR=${mandir} UNITDIR=${systemd_system_unitdir}"
inherit siteinfo

do_compile() {
    oe_runmake
}

do_install() {
    oe_runmake install DESTDIR=${D}
    install -d ${D}${sysconfdir}/xdp-cpumap
}

# Which interface is for the image to say: a link in sys-subsystem-net-devices-IFACE.device.wants/
# to the first, or in multi-user.target.wants/ to the one that follows it.
SYSTEMD_SERVICE:${PN} = "xdp-cpumap@.service xdp-cpumap-watch@.service"
SYSTEMD_AUTO_ENABLE = "disable"

PACKAGES =+ "${PN}-zsh-completion"
FILES:${PN}-zsh-completion = "${datadir}/zsh"

# Of the kernel: CONFIG_BPF_SYSCALL; CONFIG_BPF_JIT pays; no BTF is needed.
