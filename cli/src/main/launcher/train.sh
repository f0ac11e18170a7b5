# What launchers share, to be read by them with `.`: they set `java`, `flags`, `classes` (a class path) and `cache`.

node=    # a node that is being trained
scratch= # and its folder

# Reads a file of options into `flags`, a word each.
read_flags() {
    flags=
    while IFS= read -r line; do
        case $line in
            '' | '#'*) ;;
            *) flags="${flags:+$flags }$line" ;;
        esac
    done <"$1"
}

# Starts a node once, loads it for some seconds, and lets the JVM keep what it loaded, linked, and learned of its
# methods (JEP 483, JEP 515): later nodes start in half the time and are compiled sooner. A start without the cache is
# only slower, so nothing here may fail.
train() {
    scratch=$(mktemp -d) || return 0
    : >"$scratch/out"
    # shellcheck disable=SC2086 # options are words
    "$java" $flags -XX:AOTCacheOutput="$cache" -cp "$classes" \
        kvant.cli.Main serve --port 0 --data "$scratch/data" >"$scratch/out" 2>"$scratch/err" </dev/null 9>&- &
    node=$!
    tries=0
    until grep -q '^listening' "$scratch/out" || [ $tries -ge 100 ] || ! kill -0 "$node" 2>/dev/null; do
        sleep 0.1
        tries=$((tries + 1))
    done
    url=$(sed -n 's/^listening on //p' "$scratch/out")
    if [ -n "$url" ]; then
        exercise 4s mixed "$url"
        exercise 1s scan "$url"
        exercise 1s delete "$url"
    fi
    kill "$node" 2>/dev/null || true
    wait "$node" || rm -f "$cache"
    node=
    rm -rf "$scratch"
    scratch=
}

# Requests of one kind, as fast as they are answered. Few keys: the folder may be in memory.
exercise() {
    # shellcheck disable=SC2086 # options are words
    "$java" $flags -Xmx64m -cp "$classes" kvant.cli.Main load -c16 -d "$1" --warmup 0s --keys 1k \
        --workload "$2" "$3" >/dev/null 2>&1 </dev/null 9>&- || true
}
