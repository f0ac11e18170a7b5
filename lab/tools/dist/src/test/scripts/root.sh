# To be read by the scripts beside it: a root directory of its own over that of the machine, which stays as it is. Runs
# in namespaces of its own (unshare -m -n), so that mounts and ports end with the script.

node= # a process
trap '[ -z "$node" ] || kill -9 "$node" 2>/dev/null || true' EXIT

own_root() {
    ip link set lo up
    mount -t tmpfs tmpfs /mnt
    mkdir /mnt/changes /mnt/work /mnt/root
    mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/changes,workdir=/mnt/work /mnt/root
    system_folders /mnt/root
}

system_folders() {
    mkdir -p "$1/proc" "$1/dev"
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
}

# Waits for a node that writes into a file.
until_listening() {
    tries=0
    until grep -q '^listening on' "$1"; do
        tries=$((tries + 1))
        if [ $tries -ge 600 ] || ! kill -0 "$node" 2>/dev/null; then
            echo "the node did not start:" && cat "$1" "$1.err"
            exit 1
        fi
        sleep 0.1
    done
}

check() {
    "$@" || { echo "does not hold: $*" && exit 1; }
}
