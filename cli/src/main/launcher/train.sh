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

# A command that asks a node ends before much of it is worth compiling.
add_client_flags() {
    case ${1:-} in
        get | put | delete | scan | watch | status | health | version)
            flags="$flags -XX:TieredStopAtLevel=1"
            case "${KVANT_JAVA_OPTS:-} ${JDK_JAVA_OPTIONS:-} ${JAVA_TOOL_OPTIONS:-}" in
                *-XX:+Use*GC*) ;; # two collectors are an error
                *) flags="$flags -XX:+UseSerialGC" ;;
            esac
            ;;
    esac
}

# Starts a node, asks it, and lets the JVM keep what it loaded and linked, which halves every later start. A start
# without the cache is only slower, so nothing here may fail. Profiles of methods (JEP 515) are not kept: the JVM would
# compile from them while the node starts, which took a tenth of the start, and a node that had been loaded for some
# seconds meanwhile was no faster in its first seconds ('./kvant bench start').
train() {
    scratch=$(mktemp -d) || return 0
    : >"$scratch/out"
    # shellcheck disable=SC2086 # options are words
    "$java" $flags -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining -XX:AOTCacheOutput="$cache.new" \
        -cp "$classes" kvant.cli.TrainingRun "$scratch/data" \
        >"$scratch/out" 2>"$scratch/err" </dev/null 9>&- &
    node=$!
    tries=0
    until grep -q '^trained' "$scratch/out" || [ $tries -ge 600 ] || ! kill -0 "$node" 2>/dev/null; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill "$node" 2>/dev/null || true
    # A shell may tell there that it was ended. A node that starts meanwhile finds no part of a cache.
    if wait "$node" 2>/dev/null; then mv -f "$cache.new" "$cache" 2>/dev/null || true; else rm -f "$cache.new"; fi
    node=
    rm -rf "$scratch"
    scratch=
}
