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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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

/// The server of the control socket: carries out the operator's commands on the engine.
///
/// The socket belongs to the process that holds the directory's lock, so one that is there at start was left by a
/// process that was killed. One thread accepts, each connection has a thread of its own; [Callers] bounds them. A
/// request goes on when its client disconnects.
public final class ControlServer implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(ControlServer.class);

    private static final int BACKLOG = 8;

    /// How long accepting rests after it failed, as for want of a file descriptor.
    private static final Duration ACCEPT_PAUSE = Duration.ofMillis(100);

    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
    private static final Duration WRITE_LIMIT = Duration.ofSeconds(10);

    // Constant.
    private final Path socket;
    private final ServerSocketChannel listener;
    private final Engine engine;
    private final NodeControl node;
    private final UserPrincipal owner;
    private final Callers callers = new Callers();

    private ControlServer(
            Path socket, ServerSocketChannel listener, Engine engine, NodeControl node, UserPrincipal owner) {
        this.socket = socket;
        this.listener = listener;
        this.engine = engine;
        this.node = node;
        this.owner = owner;
    }

    /// Begins to listen. Where that is not possible, the node serves without it and logs one warning.
    ///
    /// @param data whose lock this process holds
    /// @return null where there is no channel
    public static @Nullable ControlServer start(Path data, Engine engine, NodeControl node) {
        Path socket = ControlSocket.path(data);
        try {
            deleteStale(socket);
            ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            boolean bound = false;
            try {
                listener.bind(ControlSocket.address(data), BACKLOG);
                Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
                ControlServer server = new ControlServer(socket, listener, engine, node, Files.getOwner(socket));
                Thread.ofPlatform().name("kvant-control").daemon().start(server::accept);
                bound = true;
                return server;
            } finally {
                if (!bound) {
                    listener.close();
                }
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

    /// Closes the channel. Requests under way go on until the engine is closed.
    @Override
    public void close() {
        try {
            Files.deleteIfExists(socket); // first: from now on commands find no listener
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
                boolean taken = false;
                try {
                    take(new LineChannel(accepted), accepted);
                    taken = true;
                } finally {
                    if (!taken) {
                        accepted.close();
                    }
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
        LineChannel gone = callers.connected(caller);
        if (gone != null) {
            gone.close(); // its thread ends
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
            callers.left(caller);
        }
    }

    /// The mode of the socket file keeps other users out, except for a moment after its creation.
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
        if (!callers.asked(lines)) {
            lines.write(
                    "failed this node carries out " + Callers.MAX_SERVED + " commands: try again later", WRITE_LIMIT);
            return;
        }
        try {
            lines.write(result(request, new Caller(lines)), WRITE_LIMIT);
        } finally {
            callers.served();
        }
    }

    /// Carries a request out.
    ///
    /// @return the last line of the answer
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

    /// Probes are not told, as over HTTP, and what is not known is not carried out.
    private void audit(String command, String argument) {
        switch (command) {
            case "inspect", "slow", "mirror-status" -> node.told(command, "", false);
            case "checkpoint" -> node.told(command, argument, true);
            case "read-only" -> node.told("read-only " + (argument.equals("on") ? "on" : "off"), "", true);
            case "compact", "mirror-switch" -> node.told(command, "", true);
            default -> {}
        }
    }

    /// A line for each check; the whole has failed with the first of them that did.
    private static String health(Health health, Caller caller) {
        health.checks().forEach(check -> caller.out(check.name() + ": " + check.detail()));
        return health.checks().stream()
                .filter(check -> !check.ok())
                .findFirst()
                .map(check -> "failed " + check.name() + ": " + check.detail())
                .orElse("done");
    }

    /// Of the active engine: a move may have changed it.
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

    /// The client of a request. Once it has disconnected, or does not read, nothing more is written to it.
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

    /// The connections of the control socket, bounded: those that have not asked yet, and those whose request is
    /// carried out. A caller that says nothing never keeps another from asking: the one that has been silent for
    /// the longest goes. Any thread may call.
    static final class Callers {

        static final int MAX_SILENT = 8;
        static final int MAX_SERVED = 8;

        // Guarded by this.
        private final Deque<LineChannel> silent = new ArrayDeque<>(); // oldest first
        private int served;

        /// Takes a connection in.
        ///
        /// @return the one that has to go for it, or null
        synchronized @Nullable LineChannel connected(LineChannel caller) {
            LineChannel gone = silent.size() < MAX_SILENT ? null : silent.pollFirst();
            silent.addLast(caller);
            return gone;
        }

        /// A request has arrived.
        ///
        /// @return whether it may be carried out now; then [#served] is to be called
        synchronized boolean asked(LineChannel caller) {
            if (!silent.remove(caller) || served == MAX_SERVED) {
                return false;
            }
            served++;
            return true;
        }

        /// A request has been carried out.
        synchronized void served() {
            served--;
        }

        /// A connection has ended before it asked.
        synchronized void left(LineChannel caller) {
            silent.remove(caller);
        }
    }

    /// What an operator may ask of any node.
    public interface NodeControl {

        /// The slowest requests of the last minutes, as JSON or as a table.
        List<String> slowRequests(boolean json);

        /// Has the audit log tell of a command, before it is carried out.
        ///
        /// @param words of its caller, or empty
        /// @param changes whether it changes the node or copies what it holds
        void told(String command, String words, boolean changes);

        /// From now on refuses writes of clients, or takes them again.
        void readOnly(boolean wanted);

        /// How far the store has been moved, in lines for a person.
        default List<String> moveStatus() {
            throw new EngineException.Unsupported("this node was not started with --mirror-to");
        }

        /// Has the new store take over; may take seconds.
        ///
        /// @throws EngineException why not
        default void switchOver() {
            throw new EngineException.Unsupported("this node was not started with --mirror-to");
        }
    }
}
