package kvant.bench.process;

import java.io.File;
import java.nio.file.Path;

/// The disk usage of a store, measured from outside, so that all engines are measured in the same way.
public final class FolderSize {

    private FolderSize() {}

    /// Total length of all files below a folder, 0 if it does not exist. The store may be running: a file that
    /// disappears meanwhile is not counted.
    public static long bytes(Path folder) {
        File[] files = folder.toFile().listFiles(); // unlike a walk, it tolerates files that disappear
        long bytes = 0;
        for (File file : files == null ? new File[0] : files) {
            bytes += file.isDirectory() ? bytes(file.toPath()) : file.length();
        }
        return bytes;
    }
}
