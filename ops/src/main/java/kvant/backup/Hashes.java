package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/// SHA-256 of files and of parts of them, in hexadecimal.
public final class Hashes {

    private static final int BUFFER_BYTES = 1 << 20;

    /// Bytes hashed at each end of a file. Header and footer of every table format are shorter.
    private static final int END_BYTES = 4 << 10;

    private Hashes() {}

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    private static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    public static String of(byte[] content) {
        MessageDigest digest = sha256();
        digest.update(content);
        return hex(digest);
    }

    public static String of(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return copy(in, OutputStream.nullOutputStream()).sha256();
        }
    }

    /// Length and hash of copied content.
    record Copied(long bytes, String sha256) {}

    /// Copies the input to the end and computes its hash, for comparison with the expected one.
    static Copied copy(InputStream in, OutputStream out) throws IOException {
        MessageDigest digest = sha256();
        byte[] buffer = new byte[BUFFER_BYTES];
        long bytes = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            digest.update(buffer, 0, read);
            out.write(buffer, 0, read);
            bytes += read;
        }
        return new Copied(bytes, hex(digest));
    }

    /// As [#copy], to a new file that only its owner can access. The content is durable when this returns.
    static Copied copyToFile(InputStream in, Path target) throws IOException {
        try (FileChannel out = FileChannel.open(
                target,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            Copied copied = copy(in, Channels.newOutputStream(out));
            out.force(true);
            return copied;
        }
    }

    /// Hash of the first and last bytes of a file. Immutable files of a store have an id or a checksum there: two files
    /// with the same name, size and ends are identical.
    static String ofEnds(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file);
                InputStream in = Channels.newInputStream(channel)) {
            MessageDigest digest = sha256();
            digest.update(in.readNBytes(END_BYTES));
            channel.position(Math.max(0, channel.size() - END_BYTES));
            digest.update(in.readNBytes(END_BYTES));
            return hex(digest);
        }
    }
}
