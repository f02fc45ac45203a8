# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034 # sourced by run, which reads what is set here
# A board: the emulator's machine, its console, and the modules its kernel needs to reach the root.
#
# emulator  suffix of qemu-system-
# machine   arguments of the emulator
# console   kernel console, which is the emulator's stdio
# modules   loaded by init, in this order;  spare: carried along for modprobe
# tree      how the guest gets its files: 9p (the host's own, read only) or initramfs

board_pc()
{
	emulator=x86_64
	machine=(-machine pc -cpu max -m 1536 -serial stdio
		-fsdev "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap"
		-device virtio-9p-pci,fsdev=root,mount_tag=host)
	console=ttyS0
	modules="virtio_pci 9p 9pnet_virtio overlay"
	tree=9p
	image=vmlinux
}
