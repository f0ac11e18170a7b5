package kvant.cli.control;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import kvant.cli.control.ControlClient.ControlSocket;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.Maintenance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server of the control socket: executes operators' commands on the engine.
///
/// The socket belongs to the process that holds the directory's lock. A socket present at start is therefore a leftover
/// of a killed process. One thread accepts connections, and each connection has its own thread; idle connections and
/// running requests are bounded, and of too many idle ones the oldest is closed. A request continues after its client
/// disconnects.
public final class ControlServer implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(ControlServer.class);

    private static final int BACKLOG = 8;

    /// Pause in accepting connections after a failure, such as a lack of file descriptors.
    private static final Duration ACCEPT_PAUSE = Duration.ofMillis(100);

    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
    private static final Duration WRITE_LIMIT = Duration.ofSeconds(10);

    static final int MAX_SILENT = 8;
    static final int MAX_SERVED = 8;

    // Constant.
    private final Path socket;
    private final ServerSocketChannel listener;
    private final Engine engine;
    private final NodeControl node;
    private final UserPrincipal owner;

    // Concurrent: connections without a request, oldest first, and room for requests that run.
    final BlockingDeque<LineChannel> silent = new LinkedBlockingDeque<>(MAX_SILENT);
    private final Semaphore served = new Semaphore(MAX_SERVED);

    private ControlServer(
            Path socket, ServerSocketChannel listener, Engine engine, NodeControl node, UserPrincipal owner) {
        this.socket = socket;
        this.listener = listener;
        this.engine = engine;
        this.node = node;
        this.owner = owner;
    }

    /// Starts to listen. If that is impossible, the node serves without a control socket and logs one warning.
    ///
    /// @param data directory whose lock this process holds
    /// @return null when there is no socket
    public static @Nullable ControlServer start(Path data, Engine engine, NodeControl node) {
        Path socket = ControlSocket.path(data);
        try {
            deleteStale(socket);
            ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                listener.bind(ControlSocket.address(data), BACKLOG);
                Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
                ControlServer server = new ControlServer(socket, listener, engine, node, Files.getOwner(socket));
                Thread.ofPlatform().name("kvant-control").daemon().start(server::accept);
                return server;
            } catch (IOException | RuntimeException | Error e) {
                listener.close();
                throw e;
            }
        } catch (IOException | UnsupportedOperationException e) {
            LOGGER.warn(
                    "no control channel at {} ({}): checkpoint, inspect and compact need this node stopped, and slow"
                            + " does not reach it; a path of at most 100 bytes avoids that",
                    socket.toAbsolutePath(),
                    e.getMessage());
            return null;
        }
    }

    /// Closes the socket. Running requests continue until the engine is closed.
    @Override
    public void close() {
        try {
            Files.deleteIfExists(socket); // first: new commands then find no listener
            listener.close();
        } catch (IOException e) {
            LOGGER.warn("cannot remove {}: {}", socket, e.getMessage());
        }
    }

    private static void deleteStale(Path socket) throws IOException {
        if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            if (!Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther()) {
                throw new IOException("there is a file of this name that is no socket");
            }
            Files.delete(socket);
        }
    }

    private void accept() {
        boolean failed = false;
        while (listener.isOpen()) {
            try {
                SocketChannel accepted = listener.accept();
                try {
                    take(new LineChannel(accepted), accepted);
                } catch (IOException | RuntimeException | Error e) {
                    accepted.close();
                    throw e;
                }
                failed = false;
            } catch (ClosedChannelException _) {
                return;
            } catch (IOException e) {
                if (!failed) {
                    LOGGER.warn("the control channel cannot accept ({}), and tries again", e.getMessage());
                }
                failed = true;
                LockSupport.parkNanos(ACCEPT_PAUSE.toNanos());
            }
        }
    }

    private void take(LineChannel caller, SocketChannel accepted) throws IOException {
        while (!silent.offerLast(caller)) { // idle clients do not block others
            LineChannel oldest = silent.pollFirst();
            if (oldest != null) {
                oldest.close(); // ends the thread of that connection
            }
        }
        Thread.ofPlatform().name("kvant-control-call").daemon().start(() -> serve(caller, accepted));
    }

    private void serve(LineChannel caller, SocketChannel accepted) {
        try (LineChannel lines = caller) {
            if (isOwner(accepted)) {
                answer(lines);
            } else {
                lines.write("failed only the user that runs this node may use its control channel", WRITE_LIMIT);
            }
        } catch (IOException e) {
            LOGGER.debug("a control connection ended: {}", e.getMessage());
        } finally {
            silent.remove(caller);
        }
    }

    /// True if the client is the node's user. The socket file's mode excludes others, except when just created.
    private boolean isOwner(SocketChannel channel) throws IOException {
        if (!channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)) {
            return true;
        }
        UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
        return peer.user().equals(owner);
    }

    private void answer(LineChannel lines) throws IOException {
        String request = lines.read(REQUEST_LIMIT);
        if (request == null) {
            return;
        }
        if (!silent.remove(lines) || !served.tryAcquire()) {
            lines.write("failed this node carries out " + MAX_SERVED + " commands: try again later", WRITE_LIMIT);
            return;
        }
        try {
            lines.write(result(request, new Caller(lines)), WRITE_LIMIT);
        } finally {
            served.release();
        }
    }

    /// Executes a request.
    ///
    /// @return the last line of the reply
    private String result(String request, Caller caller) {
        try {
            if (!request.startsWith(ControlSocket.GREETING)) {
                return "failed this node speaks another version: use the kvant that started it";
            }
            return carryOut(request.substring(ControlSocket.GREETING.length()), caller);
        } catch (EngineException e) {
            return "failed " + e.getMessage();
        } catch (RuntimeException e) {
            LOGGER.error("a control request failed: {}", e.toString());
            LOGGER.debug("it failed here", e);
            return "failed internal error: " + e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    private String carryOut(String request, Caller caller) {
        int space = request.indexOf(' ');
        String command = space < 0 ? request : request.substring(0, space);
        String argument = space < 0 ? "" : request.substring(space + 1);
        audit(command, argument);
        switch (command) {
            case "inspect" ->
                Report.of(maintenance().inspect(), argument.equals("json")).forEach(caller::out);
            case "checkpoint" -> maintenance().checkpoint(absolute(argument), caller);
            case "compact" -> maintenance().compact(caller);
            case "health" -> {
                return health(engine.health(), caller);
            }
            case "slow" -> node.slowRequests(argument.equals("json")).forEach(caller::out);
            case "read-only" -> node.readOnly(argument.equals("on"));
            case "mirror-status" -> node.moveStatus().forEach(caller::out);
            case "mirror-switch" -> node.switchOver();
            default -> {
                return "failed this node does not know '" + command + "': use the kvant that started it";
            }
        }
        return "done";
    }

    /// Writes the audit log, except for probes (as over HTTP) and unknown commands, which are not executed.
    private void audit(String command, String argument) {
        switch (command) {
            case "inspect", "slow", "mirror-status" -> node.told(command, "", false);
            case "checkpoint" -> node.told(command, argument, true);
            case "read-only" -> node.told("read-only " + (argument.equals("on") ? "on" : "off"), "", true);
            case "compact", "mirror-switch" -> node.told(command, "", true);
            default -> {}
        }
    }

    /// One line for each check. The first failed check fails the request.
    private static String health(Health health, Caller caller) {
        health.checks().forEach(check -> caller.out(check.name() + ": " + check.detail()));
        return health.checks().stream()
                .filter(check -> !check.ok())
                .findFirst()
                .map(check -> "failed " + check.name() + ": " + check.detail())
                .orElse("done");
    }

    /// Operations of the active engine, which a move may have changed.
    private Maintenance maintenance() {
        Maintenance maintenance = engine.maintenance();
        if (maintenance == null) {
            throw new EngineException.Unsupported("the engine of this node has no such command");
        }
        return maintenance;
    }

    private static Path absolute(String argument) {
        try {
            Path path = Path.of(argument);
            if (path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException _) {
            // Refused below.
        }
        throw new EngineException.CannotOpen("'" + argument + "' is not an absolute path");
    }

    /// The client of a request. Nothing more is written once it has disconnected, or is too slow to read.
    private static final class Caller implements Maintenance.Progress {

        private final LineChannel lines;
        private boolean gone;

        Caller(LineChannel lines) {
            this.lines = lines;
        }

        @Override
        public void line(String text) {
            send("progress " + text);
        }

        void out(String text) {
            send("out " + text);
        }

        private void send(String line) {
            if (gone) {
                return;
            }
            try {
                lines.write(line, WRITE_LIMIT);
            } catch (IOException _) {
                gone = true;
            }
        }
    }

    /// Operations of a node for its operator.
    public interface NodeControl {

        /// The slowest requests of the last minutes, as JSON or as a table.
        List<String> slowRequests(boolean json);

        /// Writes a command to the audit log before it is executed.
        ///
        /// @param words arguments from the client, or empty
        /// @param changes whether the command changes the node or copies its data
        void told(String command, String words, boolean changes);

        /// Starts or stops refusing clients' writes.
        void readOnly(boolean wanted);

        /// The progress of a move of the store, as readable lines.
        default List<String> moveStatus() {
            throw new EngineException.Unsupported("this node was not started with --mirror-to");
        }

        /// Switches to the new store; may take seconds.
        ///
        /// @throws EngineException the reason for a refusal
        default void switchOver() {
            throw new EngineException.Unsupported("this node was not started with --mirror-to");
        }
    }
}
