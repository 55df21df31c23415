#!/bin/sh
# First process of a test machine: usage: machine-init.sh DIR NAME
# Runs in new namespaces (mount, network, process, host name, IPC). Its root is the machine's around it under an overlay
# in DIR, so that what a node writes goes with DIR; what overlays cannot lie on is bound from there.
set -eu
dir=$1
name=$2
mount --make-rprivate /
mkdir -p "$dir/upper" "$dir/work" "$dir/root" "$dir/containerd" "$dir/kubelet" "$dir/log"
mount -t overlay overlay -o "lowerdir=/,upperdir=$dir/upper,workdir=$dir/work" "$dir/root"
cd "$dir/root"
mkdir -p var/lib/containerd var/lib/kubelet var/log/pods run tmp machine
mount --bind "$dir/containerd" var/lib/containerd
mount --bind "$dir/kubelet" var/lib/kubelet
mount --bind "$dir/log" var/log/pods
mount --bind "$dir" machine
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mkdir -p machine/old
pivot_root . machine/old
cd /
umount -l /machine/old
# Volumes of pods are mounted while containers run: as on every node, mounts are shared.
mount --make-rshared /
hostname "$name"
ip link set lo up
echo 1 >/proc/sys/net/ipv4/ip_forward
touch /machine/ready
exec tini -s -- sleep infinity
