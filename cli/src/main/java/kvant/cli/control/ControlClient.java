package kvant.cli.control;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// The client of the control socket: sends requests to the node that holds a data directory. Belongs to one
/// thread.
public final class ControlClient implements AutoCloseable {

    private static final Duration SEND_LIMIT = Duration.ofSeconds(5);

    private final Path data;
    private final LineChannel lines;

    private ControlClient(Path data, LineChannel lines) {
        this.data = data;
        this.lines = lines;
    }

    /// @return null when no node listens for this directory
    public static @Nullable ControlClient connect(Path data) {
        if (!Files.exists(ControlSocket.path(data), LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        try {
            return new ControlClient(data, new LineChannel(SocketChannel.open(ControlSocket.address(data))));
        } catch (IOException | UnsupportedOperationException _) {
            return null; // left by a killed node, or not ours: opening the directory reports it
        }
    }

    /// Sends a request and forwards lines until the reply is complete.
    ///
    /// @param idleLimit maximum time between two lines
    /// @throws EngineException.Io with the node's refusal, or when the node ended meanwhile
    public void ask(String request, Duration idleLimit, Consumer<String> out, Consumer<String> progress) {
        try {
            lines.write(ControlSocket.GREETING + request, SEND_LIMIT);
            for (String line = lines.read(idleLimit); line != null; line = lines.read(idleLimit)) {
                int space = line.indexOf(' ');
                String kind = space < 0 ? line : line.substring(0, space);
                String text = space < 0 ? "" : line.substring(space + 1);
                switch (kind) {
                    case "out" -> out.accept(text);
                    case "progress" -> progress.accept(text);
                    case "done" -> {
                        return;
                    }
                    default -> throw new EngineException.Io("failed".equals(kind) ? text : unreadable(), null);
                }
            }
            throw new EngineException.Io(
                    "the node at " + data + " ended the connection before it had answered: it is stopping or busy",
                    null);
        } catch (SocketTimeoutException e) {
            throw new EngineException.Io(
                    "the node at " + data + " said nothing for " + idleLimit.toSeconds()
                            + " s; it may still be working",
                    e);
        } catch (IOException e) {
            throw new EngineException.Io("cannot talk to the node at " + data + ": " + e.getMessage(), e);
        }
    }

    private String unreadable() {
        return "the node at " + data + " speaks another version: use the kvant that started it";
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException _) {
            // The reply has been read completely.
        }
    }

    /// The name of the socket, for client and server.
    static final class ControlSocket {

        static final String NAME = "control.sock";

        /// Version of the protocol; starts each request.
        static final String GREETING = "kvant1 ";

        private ControlSocket() {}

        static Path path(Path data) {
            return data.resolve(NAME);
        }

        static UnixDomainSocketAddress address(Path data) {
            return UnixDomainSocketAddress.of(path(data));
        }
    }
}
