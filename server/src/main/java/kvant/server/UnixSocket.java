package kvant.server;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/// The file of a Unix socket that only its owner may connect to.
///
/// It is bound in a folder that no other user may enter, and gets its name once its mode is set: at no moment can
/// another user connect.
final class UnixSocket implements AutoCloseable {

    private static final String OWNER_ONLY = "rw-------";

    // Constant.
    private final Path path;
    private final Path folder;

    private UnixSocket(Path path, Path folder) {
        this.path = path;
        this.folder = folder;
    }

    /// Prepares to listen, and deletes a socket left behind by a node.
    ///
    /// @throws IOException when a process listens there, or a file of this name is not a socket
    static UnixSocket prepare(Path socket) throws IOException {
        Path path = socket.toAbsolutePath();
        deleteStale(path);
        Path parent = Objects.requireNonNull(path.getParent(), "a socket lies in a directory");
        return new UnixSocket(path, Files.createTempDirectory(parent, ".k"));
    }

    /// The address to bind.
    UnixDomainSocketAddress address() {
        return UnixDomainSocketAddress.of(folder.resolve("s"));
    }

    /// Publishes the bound socket: from now on its owner may connect.
    void publish() throws IOException {
        Path bound = address().getPath();
        Files.setPosixFilePermissions(bound, PosixFilePermissions.fromString(OWNER_ONLY));
        Files.move(bound, path, StandardCopyOption.ATOMIC_MOVE);
        Files.delete(folder);
    }

    /// Takes the file away.
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }

    /// Removes the files of a socket that could not be bound.
    void discard() throws IOException {
        Files.deleteIfExists(address().getPath());
        Files.deleteIfExists(folder);
    }

    private static void deleteStale(Path path) throws IOException {
        if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isOther()) {
            throw new IOException("there is a file of this name that is no socket");
        }
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            throw new BindException("another process listens there");
        } catch (ConnectException _) {
            Files.delete(path); // of a process that was killed
        }
    }
}
