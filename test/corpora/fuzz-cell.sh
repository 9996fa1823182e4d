#!/bin/bash
# Runs commands in a throw-away copy of this machine and tells what they did. Started as root of a new user namespace
# with mounts, processes and a network of its own; see fuzz-cell.ts.
#   fuzz-cell.sh CELL COMMANDS PARALLEL FOLDER…
# CELL holds `shims`, a layer above /usr: recording stand-ins for every program that no rule names. COMMANDS are separated
# by NUL. Each FOLDER is there as it is outside. Prints `wrote PATH`, `started LINE`, `connected COUNT`.
set -eu
cell=$1 commands=$2 parallel=$3
shift 3
layers=$cell/layers tools=/usr/lib/fuzz-cell

mount -t tmpfs tmpfs "$layers"
root=$layers/root
mkdir "$root"
cp -a "$cell/shims" "$layers/shims"

# layer NAME PATH LOWER: PATH in the cell, with a layer in memory above it that takes what is written.
layer() {
  mkdir -p "$layers/upper/$1" "$layers/work/$1" "$root$2"
  mount -t overlay overlay -o "userxattr,lowerdir=$3,upperdir=$layers/upper/$1,workdir=$layers/work/$1" "$root$2"
}
layer usr /usr "$layers/shims:/usr"
layer etc /etc /etc
layer opt /opt /opt 2> /dev/null || true
number=0
for folder in "$@"; do
  number=$((number + 1))
  layer "folder-$number" "$folder" "$folder"
done
for link in bin sbin lib lib32 lib64; do [ ! -L "/$link" ] || cp -a "/$link" "$root/$link"; done
# Devices that keep nothing; a disk must not even be there.
mkdir -p "$root/dev" "$root/proc" "$root/tmp" "$root/var/tmp" "$root/run"
for device in null zero full random urandom; do
  : > "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s fd/0 "$root/dev/stdin"
ln -s fd/1 "$root/dev/stdout"
ln -s fd/2 "$root/dev/stderr"
mount -t proc proc "$root/proc"
: > "$root/fuzz-started"
chmod 666 "$root/fuzz-started"
# With a way out every attempt to connect is counted, though it leads nowhere.
ip link set lo up
ip route add default dev lo

inside() { find "$root" -xdev ! -name fuzz-started \( -type d -printf '%P/\n' -o -printf '%P %s %T@ %m\n' \) | sort; }
before=$(inside)
status=0
chroot "$root" "$tools/xargs" -0 -a /dev/fd/3 -P "$parallel" -n 1 "$tools/run-one" \
  3< "$commands" > /dev/null 2>&1 < /dev/null || status=$?
# 123: some command failed, 124: one ended with 255; both are usual.
case $status in 0 | 123 | 124) ;; *) echo "the commands could not be run: $status" >&2; exit 1 ;; esac

(cd "$layers/upper" && find . -mindepth 2 -printf 'wrote %P\n')
comm -13 <(printf '%s\n' "$before") <(inside) | sed 's/^/wrote root: /'
sed 's/^/started /' "$root/fuzz-started"
awk '/^Tcp:/ && $6 ~ /^[0-9]+$/ { sum += $6 } /^Udp:/ && $5 ~ /^[0-9]+$/ { sum += $5 } END { print "connected " sum }' "$root/proc/net/snmp"
