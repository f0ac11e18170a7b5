package kvant.cli.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import kvant.client.Condition;
import kvant.client.Key;
import kvant.client.PutOptions;
import kvant.client.RangeCursor;
import kvant.client.RangeQuery;
import kvant.client.Value;
import kvant.client.Version;
import kvant.text.ExitCode;
import kvant.text.Json;
import kvant.text.Terminal;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant get`, `put`, `delete`, `scan` and `watch`.
public final class KeyCommands {

    /// The names of [#all].
    public static final Set<String> NAMES = Set.of("get", "put", "delete", "scan", "watch", "status");

    private static final int MOST_VALUE_BYTES = 64 << 20;

    private KeyCommands() {}

    /// All of them, in the order of the help.
    ///
    /// @param in has the value of a put
    /// @param out gets the value of a get
    public static List<Object> all(InputStream in, OutputStream out) {
        return List.of(new Get(out), new Put(in), new Delete(), new Scan(), new WatchCommand(), new StatusCommand());
    }

    /// `kvant get`: the bytes of a value.
    @Command(
            name = "get",
            description = "Print the value of a key.",
            sortOptions = false,
            footer = {
                "",
                "Writes the bytes of the value, with a line feed on a terminal. Exit codes: 0",
                "printed, 1 not found or failed (the reason is on stderr), 2 wrong command line."
            })
    static final class Get extends NodeCommand.OfKeys {

        private final OutputStream bytes;

        @Parameters(paramLabel = "KEY", description = "The key, as text.")
        private String key = "";

        Get(OutputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        int run() throws IOException {
            Optional<Value> found = client().get(key(key));
            if (found.isEmpty()) {
                throw new UserException("no value for key '" + key + "' at " + url());
            }
            bytes.write(found.get().bytes());
            if (Terminal.isInteractive()) {
                bytes.write('\n');
            }
            bytes.flush();
            return ExitCode.DONE;
        }
    }

    /// `kvant put`: stores a value.
    @Command(
            name = "put",
            description = "Store a value and print its version.",
            sortOptions = false,
            footer = {
                "",
                "Without VALUE the value is read from standard input, to its end: at most 64 MiB.",
                "Exit codes: 0 stored, 1 not stored (the reason is on stderr; 'outcome unknown'",
                "may be stored), 2 wrong command line."
            })
    static final class Put extends NodeCommand.OfKeys {

        private final InputStream input;

        @Parameters(index = "0", paramLabel = "KEY", description = "The key, as text.")
        private String key = "";

        @Parameters(index = "1", arity = "0..1", paramLabel = "VALUE", description = "The value, as text.")
        private @Nullable String value;

        @Option(names = "--ttl", paramLabel = "SECONDS", description = "Time to live (default: none).")
        private @Nullable Integer ttl;

        @Option(names = "--if-absent", description = "Store only if the key has no value.")
        private boolean ifAbsent;

        @Option(names = "--if-version", paramLabel = "N", description = "Store only if the key has this version.")
        private @Nullable String ifVersion;

        Put(InputStream input) {
            this.input = input;
        }

        @Override
        int run() throws IOException {
            if (ifAbsent && ifVersion != null) {
                throw wrong("'--if-absent' and '--if-version' exclude each other");
            }
            Condition condition = ifAbsent
                    ? Condition.absent()
                    : ifVersion == null ? Condition.none() : Condition.versionIs(new Version(ifVersion));
            PutOptions options = PutOptions.defaults().when(condition);
            options = ttl == null ? options : options.lives(Duration.ofSeconds(ttl));
            out().println("version " + client().put(key(key), bytes(), options).digits());
            return ExitCode.DONE;
        }

        private byte[] bytes() throws IOException {
            if (value != null) {
                return value.getBytes(StandardCharsets.UTF_8);
            }
            byte[] read = input.readNBytes(MOST_VALUE_BYTES + 1);
            if (read.length > MOST_VALUE_BYTES) {
                throw new UserException("the value on standard input is longer than 64 MiB");
            }
            return read;
        }
    }

    /// `kvant delete`: deletes a key.
    @Command(
            name = "delete",
            description = "Delete a key.",
            sortOptions = false,
            footer = {
                "",
                "Deleting a key without a value succeeds. Exit codes: 0 deleted, 1 failed (the",
                "reason is on stderr), 2 wrong command line."
            })
    static final class Delete extends NodeCommand.OfKeys {

        @Parameters(paramLabel = "KEY", description = "The key, as text.")
        private String key = "";

        @Override
        int run() {
            client().delete(key(key));
            return ExitCode.DONE;
        }
    }

    /// `kvant scan`: records in the order of their keys.
    @Command(
            name = "scan",
            description = "Print keys and values in the order of the keys.",
            sortOptions = false,
            footer = {
                "",
                "Without a prefix or bounds it prints the whole store.",
                "Exit codes: 0 printed, 1 failed (the reason is on stderr), 2 wrong command line."
            })
    static final class Scan extends NodeCommand.Listing {

        /// The least key.
        private static final byte[] FIRST = {0};

        @Parameters(paramLabel = "PREFIX", arity = "0..1", description = "Only keys that begin with this.")
        private @Nullable String prefix;

        @Option(names = "--start", paramLabel = "KEY", description = "Only this key and those after it.")
        private @Nullable String start;

        @Option(names = "--end", paramLabel = "KEY", description = "Only keys before this one.")
        private @Nullable String end;

        @Option(names = "--limit", paramLabel = "N", description = "At most this many records (default: all).")
        private @Nullable Integer limit;

        @Option(names = "--keys", description = "Print keys without values.")
        private boolean keysAlone;

        @Override
        int run() {
            try (RangeCursor records = client().range(query())) {
                while (records.next() && print(json() ? json(records) : text(records))) {
                    // until the end of the range, or of the reader
                }
            }
            return ExitCode.DONE;
        }

        private RangeQuery query() {
            if (prefix != null && (start != null || end != null)) {
                throw wrong("PREFIX excludes '--start' and '--end'");
            }
            Optional<Key> last = Optional.ofNullable(end).map(this::key);
            RangeQuery query = prefix != null && !prefix.isEmpty()
                    ? RangeQuery.prefix(key(prefix))
                    : new RangeQuery(start == null ? Key.of(FIRST) : key(start), last, Optional.empty());
            return limit == null ? query : query.limit(limit);
        }

        private String text(RangeCursor record) {
            String key = KeyText.escape(record.key().bytes());
            return keysAlone ? key : key + "\t" + KeyText.escape(record.value());
        }

        private String json(RangeCursor record) {
            Json line = Json.line()
                    .open()
                    .put("key", Base64.getEncoder().encodeToString(record.key().bytes()));
            if (!keysAlone) {
                record.expires().ifPresent(at -> line.put("expires", at.toEpochMilli()));
                line.put("value", Base64.getEncoder().encodeToString(record.value()));
            }
            return line.close().toString();
        }
    }
}
