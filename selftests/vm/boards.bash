# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2054,SC2154 # sourced by run; commas are the emulator's
# A board: the emulator's machine, its console, and the modules its kernel needs to reach the root.
#
# emulator  suffix of qemu-system-
# machine   arguments of the emulator
# console   kernel console, which is the emulator's stdio
# modules   loaded by init, in this order;  spare: carried along for modprobe
# tree      how the guest gets its files: 9p (the host's own, read only) or initramfs
# peer      a command that runs the emulator in its arguments
# image     file of the kernel in its folder
# words     for the kernel's command line

# What the net suite can use, where the root cannot be shared.
spare_modules="veth 8021q bridge bonding geneve vxlan ip_gre ipip sit wireguard pppoe esp4 xfrm_user"

# taps QUEUES PROPERTIES: a virtio device that is cabled by taps, see the script of that name
taps()
{
	local tap=script=no,downscript=no device=virtio-net-pci,romfile=

	peer=(unshare -rn "$here/taps" "$1")
	machine+=(-netdev "tap,id=peer,ifname=peer,$tap" -device "$device,netdev=peer,mac=52:54:00:00:00:02"
		-netdev "tap,id=ours,ifname=ours,$tap,queues=$1" -device "$device,netdev=ours,mac=52:54:00:00:00:01,$2")
}

# port DEVICE: a network device whose cable leads to a virtio device in the same guest, or, for
# `user`, into the emulator's own network. The test tells them by MAC: ...:01 is ours, ...:02 the peer.
port()
{
	local hub=(-netdev hubport,id=ours,hubid=0 -netdev hubport,id=peer,hubid=0
		-device virtio-net-pci,netdev=peer,mac=52:54:00:00:00:02,romfile=)

	peer=()
	case $1 in
	'' | pc) ;;
	virtio4) taps 4 mq=on,vectors=10 ;;
	virtio-fixed) taps 1 ctrl_guest_offloads=off ;; # the guest cannot turn off that the host merges frames
	virtio) machine+=("${hub[@]}" -device virtio-net-pci,netdev=ours,mac=52:54:00:00:00:01,romfile=) ;;
	*) machine+=("${hub[@]}" -device "$1,netdev=ours,mac=52:54:00:00:00:01,romfile=") ;;
	esac
}

board_pc()
{
	emulator=x86_64
	machine=(-machine pc -cpu max -m 1536 -serial stdio
		-fsdev "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap"
		-device virtio-9p-pci,fsdev=root,mount_tag=host)
	console=ttyS0
	modules="virtio_pci 9p 9pnet_virtio overlay virtio_net"
	case $1 in
	igb | e1000e | vmxnet3) modules+=" $1" ;;
	esac
	spare=
	tree=9p
	image=vmlinux
	words=
	port "$1"
}

# Allwinner H3, 4 Cortex-A7; its MAC is driven by stmmac (dwmac-sun8i).
board_orangepi()
{
	emulator=arm
	machine=(-machine orangepi-pc -m 1G -serial stdio -nic user
		-dtb "$(dtb sun8i-h3-orangepi-pc.dtb)")
	console=ttyS0,115200
	peer=(unshare -rn "$here/peer.py")
	modules="dwmac-sun8i"
	spare=$spare_modules
	tree=initramfs
	image=image
	# Stopping all CPUs takes seconds when each flush of a TLB is emulated.
	words="clk_ignore_unused watchdog_thresh=60"
}

# Big endian; Debian's kernel has neither a BPF JIT nor BTF.
board_s390()
{
	emulator=s390x
	machine=(-machine s390-ccw-virtio -cpu max -m 1536 -chardev stdio,id=c -device sclpconsole,chardev=c
		-netdev user,id=n -device virtio-net-ccw,netdev=n)
	console=ttyS0
	peer=(unshare -rn "$here/peer.py")
	modules="virtio_net"
	spare=$spare_modules
	tree=initramfs
	image=image
	words=
}

# Has FEC Ethernet with three queues.
board_imx8mp()
{
	emulator=aarch64
	machine=(-machine imx8mp-evk -m 1G -serial null -serial stdio -nic user
		-dtb "$(dtb freescale/imx8mp-evk.dtb)")
	console=ttymxc1,115200
	peer=(unshare -rn "$here/peer.py")
	modules="gpio-mxc nvmem-imx-ocotp fec"
	spare=$spare_modules
	tree=initramfs
	image=image
	words="clk_ignore_unused pd_ignore_unused"
}

# MIPS32, little endian, one CPU; Debian builds for two.
board_malta()
{
	emulator=mipsel
	machine=(-machine malta -cpu 24Kf -m 512 -serial stdio -netdev user,id=n -device virtio-net-pci,netdev=n,romfile=)
	console=ttyS0
	peer=(unshare -rn "$here/peer.py")
	modules="virtio_pci virtio_net"
	spare=$spare_modules
	tree=initramfs
	image=image
	# A tmpfs, which would be the root, takes half of the 256 MiB that a kernel without high memory sees.
	words="rootfstype=ramfs"
}

# The device tree NAME of the kernel, which every generation of the package puts elsewhere.
dtb()
{
	find -L "$kernel"/usr/lib/linux-*"$kver" "$kernel/lib/modules/$kver" -path "*/$1" 2>/dev/null | head -n 1
}
