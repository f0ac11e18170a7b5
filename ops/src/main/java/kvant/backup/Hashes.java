package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 of files and of parts of them, in hexadecimal.
public final class Hashes {

    static final int BUFFER_BYTES = 1 << 20;

    /// What is read at each end of a file: header and footer of every kind of table are shorter.
    private static final int END_BYTES = 4 << 10;

    private Hashes() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    static String of(byte[] content) {
        MessageDigest digest = sha256();
        digest.update(content);
        return hex(digest);
    }

    public static String of(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest digest = sha256();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return hex(digest);
        }
    }

    /// Of the beginning and the end of a file. Immutable files of a store carry an id or a checksum there, so that two
    /// files of the same name, size and ends are the same.
    static String ofEnds(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            MessageDigest digest = sha256();
            digest.update(part(channel, 0));
            digest.update(part(channel, Math.max(0, channel.size() - END_BYTES)));
            return hex(digest);
        }
    }

    private static ByteBuffer part(FileChannel channel, long from) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(END_BYTES);
        long at = from;
        while (bytes.hasRemaining()) {
            int read = channel.read(bytes, at);
            if (read < 0) {
                break;
            }
            at += read;
        }
        return bytes.flip();
    }
}
