package kvant.server;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.MetricSink;
import kvant.server.access.AccessControl;
import kvant.server.access.AuditLog;
import kvant.server.access.InvalidFileException;
import kvant.server.access.Reloaded;
import kvant.server.access.Reloaded.FileWatch;
import kvant.server.access.TokenFile;
import kvant.server.access.Tokens;
import kvant.server.admit.MemoryBudget;
import kvant.server.http.tls.TlsContext;
import kvant.server.http.tls.TlsContext.TlsFiles;
import kvant.server.http.tls.TlsFront;
import org.jspecify.annotations.Nullable;

/// The permissions of clients, from files that are reloaded when they change.
final class NodeAccess implements AutoCloseable {

    // Constant.
    final AccessControl control;
    private final @Nullable Reloaded<TlsContext> certificates;
    final @Nullable TlsFront tls;
    private final FileWatch watch;

    /// @param memory for the TLS state of connections
    /// @throws StartException when one of the files cannot be used
    NodeAccess(AccessOptions options, MemoryBudget memory, Duration handshakeTimeout) throws StartException {
        List<Reloaded<?>> files = new ArrayList<>();
        Path tokenFile = options.tokens();
        TlsFiles tlsFiles = options.tls();
        try {
            Reloaded<Tokens> tokens = tokenFile == null
                    ? null
                    : Reloaded.of("tokens", List.of(tokenFile), () -> TokenFile.read(tokenFile, System::nanoTime));
            if (tokens != null) {
                files.add(tokens);
            }
            control = new AccessControl(tokens, options.authenticates(), new AuditLog());
            certificates = tlsFiles == null ? null : TlsContext.reloaded(tlsFiles, InstantSource.system());
        } catch (InvalidFileException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
        if (certificates == null) {
            tls = null;
        } else {
            tls = new TlsFront(certificates, memory, handshakeTimeout, control::refusedConnection);
            files.add(certificates);
        }
        watch = new FileWatch(files);
    }

    /// @throws InvalidFileException when one of the files cannot be used
    static void check(AccessOptions options) throws InvalidFileException {
        Path tokens = options.tokens();
        if (tokens != null) {
            TokenFile.read(tokens, System::nanoTime);
        }
        TlsFiles tls = options.tls();
        if (tls != null) {
            TlsContext.load(tls, InstantSource.system());
        }
    }

    void measure(MetricSink sink) {
        control.measure(sink);
        TlsFront.measure(tls, sink);
        Reloaded.measure(certificates, "certificates", sink);
    }

    @Override
    public void close() {
        watch.close();
        if (tls != null) {
            tls.close();
        }
    }
}
