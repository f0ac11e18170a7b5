package kvant.dist;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;
import kvant.dist.FileTree.Entry;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/// Writes reproducible tar archives, which depend only on the tree and one time. Every owner is root, which is ignored
/// when a non-root user unpacks.
final class TarWriter {

    private static final int BUFFER = 1 << 16;

    private final Instant time;

    TarWriter(Instant time) {
        this.time = time;
    }

    Path gzip(Path file, FileTree tree) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER)) {
            gzip(out, tree);
        }
        return file;
    }

    void gzip(OutputStream out, FileTree tree) throws IOException {
        gzip(out, tree, Digest.of("SHA-256"));
    }

    /// @param plain receives the uncompressed bytes
    void gzip(OutputStream out, FileTree tree, MessageDigest plain) throws IOException {
        GZIPOutputStream zipped = new GZIPOutputStream(out, BUFFER); // writes no time and no name
        tar(new DigestOutputStream(zipped, plain), tree);
        zipped.finish();
    }

    Path tar(Path file, FileTree tree) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER)) {
            tar(out, tree);
        }
        return file;
    }

    void tar(OutputStream out, FileTree tree) throws IOException {
        TarArchiveOutputStream tar = new TarArchiveOutputStream(out, StandardCharsets.UTF_8.name());
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU); // the only format that dpkg reads
        for (var entry : tree.entries().entrySet()) {
            add(tar, entry.getKey(), entry.getValue());
        }
        tar.finish();
        tar.flush();
    }

    private void add(TarArchiveOutputStream tar, String path, Entry entry) throws IOException {
        TarArchiveEntry header = header(path, entry);
        header.setModTime(FileTime.from(time));
        header.setIds(0, 0);
        header.setNames("root", "root");
        InputStream content = FileTree.open(entry);
        if (content == null) {
            tar.putArchiveEntry(header);
        } else {
            try (content) {
                tar.putArchiveEntry(header);
                content.transferTo(tar);
            }
        }
        tar.closeArchiveEntry();
    }

    private static TarArchiveEntry header(String path, Entry entry) throws IOException {
        return switch (entry) {
            case Entry.Directory directory -> withMode(new TarArchiveEntry(path + "/"), directory.mode());
            case Entry.Copy copy -> sized(path, Files.size(copy.file()), copy.mode());
            case Entry.Bytes bytes -> sized(path, bytes.bytes().length, bytes.mode());
            case Entry.Link link -> {
                TarArchiveEntry header = new TarArchiveEntry(path, TarConstants.LF_SYMLINK);
                header.setLinkName(link.target());
                yield withMode(header, 0777);
            }
        };
    }

    private static TarArchiveEntry sized(String path, long size, int mode) {
        TarArchiveEntry header = new TarArchiveEntry(path);
        header.setSize(size);
        return withMode(header, mode);
    }

    private static TarArchiveEntry withMode(TarArchiveEntry header, int mode) {
        header.setMode(mode);
        return header;
    }
}
