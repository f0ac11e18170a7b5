package kvant.lab.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.load.dialect.Dialect;

/// What serves in a variant.
public sealed interface Server {

    /// Options of the JVM that serves.
    List<String> jvm();

    /// What starts it, as a person types it.
    List<String> commandLine();

    /// How it is spoken to.
    default Dialect dialect() {
        return Dialect.KVANT;
    }

    /// How long it may warm itself up before it says that it is ready.
    default Duration warmUp() {
        return Duration.ZERO;
    }

    /// The commands of the launcher that start a server. An experiment chooses among these, and cannot
    /// name another program as if it were a node of Kvant.
    enum Program {
        /// `kvant serve`.
        SERVE("serve"),
        /// `kvant bench serve`: a node with the published ways that the product does not have.
        BENCH("bench", "serve"),
        /// `kvant bench one-nio`: a map behind another HTTP server for the JVM.
        ONE_NIO("bench", "one-nio"),
        /// `kvant bench cassandra`: a node as the gateway before a server of Cassandra, which it starts.
        CASSANDRA("bench", "cassandra");

        private final List<String> words;

        Program(String... words) {
            this.words = List.of(words);
        }

        /// Its value in the file of an experiment.
        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /// Its last word, which the main class of the product or of the benchmarks understands.
        public String command() {
            return words.getLast();
        }

        /// How long its start may take.
        public Duration startTimeout() {
            return this == CASSANDRA ? Duration.ofMinutes(5) : Duration.ofMinutes(1);
        }

        /// Whether it is built with the benchmarks.
        public boolean isBench() {
            return words.getFirst().equals("bench");
        }

        /// @throws IllegalArgumentException with a line for a person
        static Program parse(String text) {
            return Arrays.stream(values())
                    .filter(one -> one.key().equals(text))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalArgumentException("'" + text + "' is not serve, bench, one-nio or cassandra"));
        }
    }

    /// A node of the Kvant that runs the laboratory.
    ///
    /// @param flags options of the program without their dashes; `true` stands for an option without
    /// a value
    record Kvant(Program program, Map<String, String> flags, List<String> jvm) implements Server {

        /// What the laboratory sets itself.
        static final List<String> TAKEN = List.of("port", "data", "host");

        private static final String RESP_PORT = "resp-port";
        private static final String WARM_UP = "warm-up";

        /// Seconds; the default of `kvant serve`.
        private static final String USUAL_WARM_UP = "4";

        private static final String LEFT_OUT = "false";

        public Kvant {
            flags = Collections.unmodifiableMap(new LinkedHashMap<>(flags));
            jvm = List.copyOf(jvm);
        }

        /// One that has a port for RESP is loaded there: without it there was no reason to give it one.
        @Override
        public Dialect dialect() {
            return flags.getOrDefault(RESP_PORT, LEFT_OUT).equals(LEFT_OUT) ? Dialect.KVANT : Dialect.RESP;
        }

        @Override
        public Duration warmUp() {
            boolean node = program == Program.SERVE || program == Program.BENCH;
            String seconds = flags.getOrDefault(WARM_UP, USUAL_WARM_UP);
            boolean told = node
                    && seconds.matches("\\d{1,4}")
                    && !flags.getOrDefault("engine", "").equals("cassandra");
            return told ? Duration.ofSeconds(Long.parseLong(seconds)) : Duration.ZERO;
        }

        /// The options as words of a command line.
        public List<String> arguments() {
            List<String> words = new ArrayList<>();
            flags.forEach((flag, value) -> {
                if (!value.equals(LEFT_OUT)) {
                    words.add("--" + flag);
                }
                if (!value.equals("true") && !value.equals(LEFT_OUT)) {
                    words.add(value);
                }
            });
            return words;
        }

        @Override
        public List<String> commandLine() {
            List<String> words = new ArrayList<>(List.of("kvant"));
            words.addAll(program.words);
            words.addAll(arguments());
            return words;
        }
    }

    /// What there is to know about a server of another kind.
    ///
    /// @param dialect how it is spoken to
    /// @param needs programs without which it does not start, and the package of Debian that has each
    /// @param version what prints its version; empty where nothing does
    record Peer(Dialect dialect, Map<String, String> needs, List<String> version) {

        /// Spoken to as a node is, and nothing else known.
        public static final Peer LIKE_KVANT = new Peer(Dialect.KVANT, Map.of(), List.of());

        public Peer {
            needs = Collections.unmodifiableMap(new LinkedHashMap<>(needs));
            version = List.copyOf(version);
        }
    }

    /// Any other server. `${port}`, `${port2}` and `${data}` in the texts stand for what the laboratory
    /// gives it.
    ///
    /// @param url of the server, without a path
    /// @param ready what answers below 400 once the server can be measured
    /// @param isJava whether it is a JVM, which can record itself
    /// @param entityPath path of one key, with `{key}`; empty for that of its dialect
    /// @param scanPath path of a range, with `{key}` and `{limit}`; likewise
    /// @param folder where it is started
    record External(
            List<String> command,
            String url,
            String ready,
            Map<String, String> environment,
            boolean isJava,
            List<String> jvm,
            String entityPath,
            String scanPath,
            String folder,
            Duration startTimeout,
            Peer peer)
            implements Server {

        public External {
            command = List.copyOf(command);
            environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
            jvm = List.copyOf(jvm);
        }

        @Override
        public List<String> commandLine() {
            return command;
        }

        @Override
        public Dialect dialect() {
            return peer.dialect();
        }
    }
}
