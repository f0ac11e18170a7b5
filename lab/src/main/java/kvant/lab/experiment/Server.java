package kvant.lab.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What serves in a variant.
public sealed interface Server {

    /// Options of the JVM that serves.
    List<String> jvm();

    /// The commands of the launcher that start a node. An experiment chooses among these, and cannot
    /// name another program as if it were a node of Kvant.
    enum Program {
        /// `kvant serve`.
        SERVE("serve"),
        /// `kvant bench serve`: a node with the published ways that the product does not have.
        BENCH("bench", "serve");

        private final List<String> words;

        Program(String... words) {
            this.words = List.of(words);
        }

        /// Its value in the file of an experiment.
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// @throws IllegalArgumentException with a line for a person
        static Program parse(String text) {
            return Arrays.stream(values())
                    .filter(one -> one.key().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not serve or bench"));
        }
    }

    /// A node of the Kvant that runs the laboratory.
    ///
    /// @param flags options of the program without their dashes; `true` stands for an option without
    /// a value
    record Kvant(Program program, Map<String, String> flags, List<String> jvm) implements Server {

        /// What the laboratory sets itself.
        static final List<String> TAKEN = List.of("port", "data", "host");

        public Kvant {
            flags = Collections.unmodifiableMap(new LinkedHashMap<>(flags));
            jvm = List.copyOf(jvm);
        }

        /// The options as words of a command line.
        public List<String> arguments() {
            List<String> words = new ArrayList<>();
            flags.forEach((flag, value) -> {
                if (!value.equals("false")) {
                    words.add("--" + flag);
                }
                if (!value.equals("true") && !value.equals("false")) {
                    words.add(value);
                }
            });
            return words;
        }

        /// What a person types to start it.
        public List<String> commandLine() {
            List<String> words = new ArrayList<>(List.of("kvant"));
            words.addAll(program.words);
            words.addAll(arguments());
            return words;
        }
    }

    /// Any other server. `${port}` and `${data}` in the texts stand for what the laboratory gives it.
    ///
    /// @param url of the server, without a path
    /// @param ready what answers below 400 once the server can be measured
    /// @param isJava whether it is a JVM, which can record itself
    /// @param entityPath path of one key, with `{key}`; empty for that of Kvant
    /// @param scanPath path of a range, with `{key}` and `{limit}`; empty for that of Kvant
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
            Duration startTimeout)
            implements Server {

        public External {
            command = List.copyOf(command);
            environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
            jvm = List.copyOf(jvm);
        }
    }
}
