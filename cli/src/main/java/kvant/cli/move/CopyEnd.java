package kvant.cli.move;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Consumer;
import kvant.cassandra.CassandraEngine;
import kvant.cassandra.CassandraOptions;
import kvant.cli.control.ControlClient;
import kvant.cli.engine.CassandraFlags;
import kvant.cli.engine.EngineKind;
import kvant.cli.engine.LocalStore;
import kvant.client.ClientOptions;
import kvant.engine.Durability;
import kvant.move.copy.Endpoint;
import kvant.move.copy.EngineEndpoint;
import kvant.move.mirror.MirrorMarks;
import kvant.move.node.NodeEndpoint;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The value of `--from` or `--to`: a directory, a serving node, or a cluster.
sealed interface CopyEnd {

    String CLUSTER = "cassandra";

    /// Name in the state of a copy; always the same for the same store.
    String name();

    /// Opens an existing store.
    Endpoint open();

    /// Opens a store, and creates it if it is missing.
    ///
    /// @param engine of a new directory, or null for the default
    Endpoint openOrMake(@Nullable EngineKind engine);

    /// @throws IllegalArgumentException when the text is none of these
    ///
    /// @param login for a node
    static CopyEnd parse(String text, CassandraFlags flags, Consumer<ClientOptions.Draft> login) {
        if (text.equals(CLUSTER)) {
            return new Cluster(flags.options(), flags.existing());
        }
        if (text.startsWith("http://") || text.startsWith("https://")) {
            return new Served(url(text), login);
        }
        if (text.isBlank() || text.contains("://")) {
            throw new IllegalArgumentException("'" + text + "' is no directory, URL or '" + CLUSTER + "'");
        }
        try {
            return new Directory(Path.of(text));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + text + "' is no directory", e);
        }
    }

    private static String url(String text) {
        try {
            ClientOptions _ = ClientOptions.of(URI.create(text));
            return text.replaceFirst("/+$", "");
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not a URL such as http://127.0.0.1:8080", e);
        }
    }

    /// A store in a directory that no node serves.
    record Directory(Path path) implements CopyEnd {

        @Override
        public String name() {
            return "directory "
                    + real(path.toAbsolutePath().normalize()).toString().replaceAll("\\p{Cntrl}", "?");
        }

        /// The path without symbolic links, the same before and after the directory is created.
        private static Path real(Path absolute) {
            try {
                return absolute.toRealPath();
            } catch (IOException _) {
                Path parent = absolute.getParent();
                Path name = absolute.getFileName();
                return parent == null || name == null ? absolute : real(parent).resolve(name);
            }
        }

        @Override
        public Endpoint open() {
            return open(LocalStore.of(path));
        }

        @Override
        public Endpoint openOrMake(@Nullable EngineKind engine) {
            if (engine != null) {
                return open(engine);
            }
            return open(Files.notExists(path.resolve("KVANT")) ? EngineKind.LSM : LocalStore.of(path));
        }

        private Endpoint open(EngineKind engine) {
            try (ControlClient node = ControlClient.connect(path)) {
                if (node != null) {
                    throw new UserException("a node serves " + path
                            + ": give its URL, such as http://127.0.0.1:8080, in place of the directory");
                }
            }
            MirrorMarks.refuseToServe(path); // refuses a moved or incomplete store
            return new EngineEndpoint(name(), LocalStore.open(engine, path, Durability.ALWAYS));
        }
    }

    /// A store served by a node.
    record Served(String url, Consumer<ClientOptions.Draft> login) implements CopyEnd {

        @Override
        public String name() {
            return "node " + url;
        }

        @Override
        public Endpoint open() {
            return NodeEndpoint.open(url, login);
        }

        @Override
        public Endpoint openOrMake(@Nullable EngineKind engine) {
            return open();
        }
    }

    /// A store in a cluster.
    ///
    /// @param options for a store that is created if missing
    /// @param existing for a store that must exist
    record Cluster(CassandraOptions options, CassandraOptions existing) implements CopyEnd {

        @Override
        public String name() {
            return "keyspace " + options.keyspace() + " at " + String.join(",", options.contactPoints());
        }

        @Override
        public Endpoint open() {
            return new EngineEndpoint(name(), CassandraEngine.open(existing));
        }

        @Override
        public Endpoint openOrMake(@Nullable EngineKind engine) {
            return new EngineEndpoint(name(), CassandraEngine.open(options));
        }
    }
}
