#!/bin/busybox sh
# shellcheck shell=dash
# First process of the guest: load the drivers, bring up the network, then serve commands for good.
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox mount -t tmpfs run /run
/bin/busybox mount -t tmpfs tmp /tmp
/bin/busybox --install -s /usr/bin
export PATH=/usr/sbin:/usr/bin HOME=/ TERM=dumb
for module in /modules/*; do
	insmod "$module" || echo "rig: $module does not load"
done
ifconfig lo 127.0.0.1 up
ifconfig eth0 10.0.2.15 netmask 255.255.255.0 up
sh /agent
echo "rig: the agent has ended"
echo o >/proc/sysrq-trigger
sleep 60
