package kvant.dist;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/// Archives, read back.
final class Unpacked {

    private Unpacked() {}

    /// @param content empty for what is no file
    record Entry(TarArchiveEntry header, byte[] content) {}

    static List<Entry> tarGz(InputStream zipped) throws IOException {
        return tar(new GZIPInputStream(new BufferedInputStream(zipped)));
    }

    static List<Entry> tar(InputStream in) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (TarArchiveInputStream tar = new TarArchiveInputStream(in)) {
            for (TarArchiveEntry header = tar.getNextEntry(); header != null; header = tar.getNextEntry()) {
                entries.add(new Entry(header, tar.readAllBytes()));
            }
        }
        return entries;
    }

    /// Onto the disk: plain files alone, for trees that have nothing else.
    static void plainFiles(Path archive, Path folder) throws IOException {
        for (Entry entry : tarGz(Files.newInputStream(archive))) {
            Path target = folder.resolve(entry.header().getName());
            if (entry.header().isDirectory()) {
                Files.createDirectories(target);
            } else {
                Files.write(target, entry.content());
            }
        }
    }
}
