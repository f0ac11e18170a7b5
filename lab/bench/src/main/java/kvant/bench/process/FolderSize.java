package kvant.bench.process;

import java.io.File;
import java.nio.file.Path;

/// What a store takes on the disk, measured from outside, so that all engines are measured alike.
public final class FolderSize {

    private FolderSize() {}

    /// Length of all files beneath a folder, 0 where there is none. The store may be at work: a file that goes away
    /// meanwhile counts nothing.
    public static long bytes(Path folder) {
        File[] files = folder.toFile().listFiles(); // unlike a walk, it does not fail because a file has gone
        long bytes = 0;
        for (File file : files == null ? new File[0] : files) {
            bytes += file.isDirectory() ? bytes(file.toPath()) : file.length();
        }
        return bytes;
    }
}
