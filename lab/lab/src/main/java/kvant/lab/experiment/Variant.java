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

/// One of the alternatives that an experiment compares.
///
/// @param titleRu empty if there is none
/// @param connections number in every phase, or 0 for that of the phase
/// @param phases its only loads; empty for all
public record Variant(String name, String title, String titleRu, int connections, List<String> phases, Server server) {

    public Variant {
        phases = List.copyOf(phases);
    }

    /// A variant with all loads.
    public Variant(String name, String title, String titleRu, int connections, Server server) {
        this(name, title, titleRu, connections, List.of(), server);
    }

    /// The number of connections in a phase.
    public int connections(Phase phase) {
        return connections > 0 ? connections : phase.clients().connections();
    }

    /// Whether it has this load.
    public boolean gets(String phase) {
        return phases.isEmpty() || phases.contains(phase);
    }

    /// With these loads; empty for all.
    Variant with(List<String> loads) {
        return new Variant(name, title, titleRu, connections, loads, server);
    }

    /// Restricted to these loads.
    Variant among(List<String> loads) {
        List<String> left = phases.stream().filter(loads::contains).toList();
        return new Variant(name, title, titleRu, connections, left, server);
    }

    /// The server of a variant.
    public sealed interface Server {

        /// JVM options of the server.
        List<String> jvm();

        /// The command line that starts it, as typed by a user.
        List<String> commandLine();

        /// Its protocol.
        default Dialect dialect() {
            return Dialect.KVANT;
        }

        /// Maximum time for its own warm-up before it is ready.
        default Duration warmUp() {
            return Duration.ZERO;
        }

        /// The launcher's commands that start a server. An experiment selects one of these, and cannot present
        /// another program as a node of Kvant.
        enum Program {
            /// `kvant serve`.
            SERVE("serve"),
            /// `kvant bench serve`: a node with published design variants that the product does not have.
            BENCH("bench", "serve"),
            /// `kvant bench one-nio`: a map behind another JVM HTTP server.
            ONE_NIO("bench", "one-nio"),
            /// `kvant bench cassandra`: a node as a gateway to a Cassandra server, which it starts.
            CASSANDRA("bench", "cassandra");

            private final List<String> words;

            Program(String... words) {
                this.words = List.of(words);
            }

            /// Its value in the file of an experiment.
            public String key() {
                return name().toLowerCase(Locale.ROOT).replace('_', '-');
            }

            /// The last word of the command, known to the main class of the product or of the benchmarks.
            public String command() {
                return words.getLast();
            }

            /// Time limit for its start.
            public Duration startTimeout() {
                return this == CASSANDRA ? Duration.ofMinutes(5) : Duration.ofMinutes(1);
            }

            /// Whether it is part of the benchmarks.
            public boolean isBench() {
                return words.getFirst().equals("bench");
            }

            /// @throws IllegalArgumentException with a readable one-line reason
            static Program parse(String text) {
                return Arrays.stream(values())
                        .filter(one -> one.key().equals(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "'" + text + "' is not serve, bench, one-nio or cassandra"));
            }
        }

        /// A node of the Kvant that runs the laboratory.
        ///
        /// @param flags options of the program without dashes; `true` stands for an option without a value
        record Kvant(Program program, Map<String, String> flags, List<String> jvm) implements Server {

            /// Options that the laboratory sets itself.
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

            /// RESP if its port is enabled, because it would be pointless without a load.
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

            /// The options as command-line arguments.
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

        /// Properties of another kind of server.
        ///
        /// @param dialect its protocol
        /// @param needs programs required for its start, each with its Debian package
        /// @param version command that prints its version; empty if there is none
        record Peer(Dialect dialect, Map<String, String> needs, List<String> version) {

            /// The protocol of a node, with no further properties.
            public static final Peer LIKE_KVANT = new Peer(Dialect.KVANT, Map.of(), List.of());

            public Peer {
                needs = Collections.unmodifiableMap(new LinkedHashMap<>(needs));
                version = List.copyOf(version);
            }
        }

        /// Any other server. The laboratory replaces `${port}`, `${port2}` and `${data}` in the texts.
        ///
        /// @param url of the server, without a path
        /// @param ready URL that answers below 400 once the server can be measured
        /// @param isJava whether it is a JVM with flight recording
        /// @param entityPath path of one key, with `{key}`; empty for that of its dialect
        /// @param scanPath path of a range, with `{key}` and `{limit}`; likewise
        /// @param folder working folder
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
}
