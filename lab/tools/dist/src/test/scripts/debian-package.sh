#!/bin/sh
# The life of a Debian package in a root directory of its own: installed, started, upgraded over data, removed, purged.
#
#   unshare -m -n debian-package.sh PACKAGE
set -eu
scripts=$(cd "${0%/*}" && pwd -P)
if [ "${2:-}" != inside ]; then
    . "$scripts/root.sh"
    own_root
    cp "$1" /mnt/root/one.deb
    cp "$scripts"/*.sh /mnt/root/
    exec chroot /mnt/root /bin/sh /debian-package.sh /one.deb inside
fi
. /root.sh
data=/var/lib/kvant/käse-данные # in place of that of the settings
unit=/usr/lib/systemd/system/kvant.service
url=http://127.0.0.1:8080/v0/entity?id=a

# As the unit says, but for what only systemd does, and at once.
start() {
    command=$(sed -n 's/^ExecStart=//p' $unit)
    : >/node.out # or the line of the start before is read
    # shellcheck disable=SC2086 # a command line
    setpriv --reuid=kvant --regid=kvant --clear-groups env -i LC_ALL=POSIX KVANT_WARM_UP=0 \
        KVANT_DATA="$data" $command >/node.out 2>/node.out.err &
    node=$!
    until_listening /node.out
}

stop() {
    kill "$node"
    check wait "$node"
}

# The same package as a later version, which is made quickly.
dpkg-deb -R "$1" /later
sed -i 's/^Version: .*/Version: 99/' /later/DEBIAN/control
dpkg-deb -b --root-owner-group -Zgzip -z1 /later /two.deb >/dev/null

dpkg -i "$1"
check test "$(stat -c '%U %a' /var/lib/kvant)" = 'kvant 700'
check test "$(stat -c '%U %G %a' /etc/kvant)" = 'root kvant 750'
# The cache fits what starts with it.
check /usr/lib/kvant/lib/runtime/bin/java @/usr/lib/kvant/lib/jvm.options -XX:AOTMode=on \
    -XX:AOTCache=/usr/lib/kvant/lib/kvant.aot -cp '/usr/lib/kvant/lib/app/*' kvant.cli.Main version
if command -v systemd-analyze >/dev/null; then
    check systemd-analyze verify $unit
    check systemd-analyze security --offline=true --threshold=25 $unit >/exposure
    tail -n 1 /exposure
fi
start
check curl -sSf -X PUT --data-binary one "$url"
setpriv --reuid=kvant --regid=kvant --clear-groups env LC_ALL=POSIX KVANT_DATA="$data" \
    kvant health --config /etc/kvant/kvant.yaml >/health
check grep -q '^writes: ' /health
stop
check test -d "$data"

echo '# mine' >>/etc/kvant/kvant.yaml
dpkg -i /two.deb
check test "$(dpkg-query -W -f '${Version}' kvant)" = 99
check grep -q '# mine' /etc/kvant/kvant.yaml
start
check test "$(curl -sSf "$url")" = one
stop

dpkg -r kvant
check test ! -e /usr/bin/kvant
check test ! -e /usr/lib/kvant
check test -d /var/lib/kvant
check test -e /etc/kvant/kvant.yaml
dpkg -P kvant
check test ! -e /var/lib/kvant
check test ! -e /etc/kvant
if getent passwd kvant; then
    echo "the user stays" && exit 1
fi
echo "all of it held"
