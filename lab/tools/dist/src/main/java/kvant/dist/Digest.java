package kvant.dist;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// Checksums in the format of `sha256sum`.
final class Digest {

    static final String FILE = "SHA256SUMS";

    private Digest() {}

    static MessageDigest of(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK supports the algorithms used
        }
    }

    /// The checksum of the remaining input; closes it.
    static String of(InputStream in, String algorithm) throws IOException {
        MessageDigest digest = of(algorithm);
        try (InputStream input = new BufferedInputStream(in)) {
            input.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
        }
        return hex(digest);
    }

    static String sha256(InputStream in) throws IOException {
        return of(in, "SHA-256");
    }

    static String sha256(Path file) throws IOException {
        return sha256(Files.newInputStream(file));
    }

    static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    /// A line for each file of a tree, with names relative to its root.
    static String lines(FileTree tree, String algorithm) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (var entry : tree.entries().entrySet()) {
            InputStream in = FileTree.open(entry.getValue());
            if (in != null) {
                lines.append(of(in, algorithm))
                        .append("  ")
                        .append(entry.getKey())
                        .append('\n');
            }
        }
        return lines.toString();
    }

    /// Writes the checksums of files next to them.
    static Path write(Path folder, List<Path> files) throws IOException {
        FileTree tree = new FileTree();
        files.forEach(file -> tree.file(String.valueOf(file.getFileName()), file, FileTree.PLAIN));
        return Files.writeString(folder.resolve(FILE), lines(tree, "SHA-256"));
    }
}
