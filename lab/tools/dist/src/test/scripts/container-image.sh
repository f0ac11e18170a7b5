#!/bin/sh
# Runs an image that is unpacked: its entry point as its user, in its own root directory, with its variables alone.
#
#   unshare -m -n container-image.sh FOLDER USER VARIABLE... -- ENTRY_POINT...
set -eu
scripts=$(cd "${0%/*}" && pwd -P)
. "$scripts/root.sh"
image=$1
user=$2
shift 2
variables=
while [ "$1" != -- ]; do
    variables="$variables $1"
    shift
done
shift
entry=$*
data=KVANT_DATA=/var/lib/kvant/käse-данные # over that of the image
chroot=$(command -v chroot)
ip link set lo up
system_folders "$image"

inside() {
    # shellcheck disable=SC2086 # words without blanks
    env -i $variables $allowed "$data" "$chroot" --userspec="$user" "$image" $entry "$@"
}

# The pattern of the class path is for the JVM.
set -f
allowed=
if inside serve >"$image.out" 2>"$image.out.err" </dev/null; then
    echo "it serves everybody without being told to" && exit 1
fi
check grep -q 'insecure-no-authentication' "$image.out.err"
if inside health 2>/dev/null; then
    echo "a node that does not run is well" && exit 1
fi

allowed='KVANT_INSECURE_NO_AUTHENTICATION=true KVANT_WARM_UP=0'
# shellcheck disable=SC2086 # as above, and the process is the node itself
env -i $variables $allowed "$data" "$chroot" --userspec="$user" "$image" $entry serve \
    >"$image.out" 2>"$image.out.err" </dev/null &
node=$!
until_listening "$image.out"
check curl -sSf -X PUT --data-binary one 'http://127.0.0.1:8080/v0/entity?id=a'
check test "$(curl -sSf 'http://127.0.0.1:8080/v0/entity?id=a')" = one
check inside health
check curl -sSf http://127.0.0.1:8080/readyz
check test -d "$image/var/lib/kvant/käse-данные"
kill "$node"
check wait "$node"
echo "all of it held"
