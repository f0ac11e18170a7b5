package kvant.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.MetricSink;
import kvant.server.access.AccessControl;
import kvant.server.access.AuditLog;
import kvant.server.access.FileWatch;
import kvant.server.access.InvalidFileException;
import kvant.server.access.Reloaded;
import kvant.server.access.TokenFile;
import kvant.server.access.Tokens;

/// Who may ask a node for what, from files that are read again when they change.
final class NodeAccess implements AutoCloseable {

    // Constant.
    private final AccessControl control;
    private final FileWatch watch;

    private NodeAccess(AccessOptions options) throws InvalidFileException {
        List<Reloaded<?>> files = new ArrayList<>();
        Path tokenFile = options.tokens();
        Reloaded<Tokens> tokens = null;
        if (tokenFile != null) {
            tokens = tokens(tokenFile);
            files.add(tokens);
        }
        this.control = new AccessControl(tokens, new AuditLog());
        this.watch = new FileWatch(files);
    }

    static NodeAccess open(AccessOptions options) throws InvalidFileException {
        return new NodeAccess(options);
    }

    /// @throws InvalidFileException when one of the files cannot be used
    static void check(AccessOptions options) throws InvalidFileException {
        Path tokens = options.tokens();
        if (tokens != null) {
            TokenFile.read(tokens, System::nanoTime);
        }
    }

    private static Reloaded<Tokens> tokens(Path file) throws InvalidFileException {
        return Reloaded.of("tokens", List.of(file), () -> TokenFile.read(file, System::nanoTime));
    }

    AccessControl control() {
        return control;
    }

    void measure(MetricSink sink) {
        control.measure(sink);
    }

    @Override
    public void close() {
        watch.close();
    }
}
