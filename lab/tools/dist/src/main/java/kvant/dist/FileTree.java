package kvant.dist;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The files of a package in the order of their names, so that builds are reproducible. Paths are relative, and parents
/// are added automatically. Modes are explicit, never taken from the disk, where they depend on the umask.
final class FileTree {

    static final int PLAIN = 0644;
    static final int PROGRAM = 0755;

    /// A directory, a file on disk, bytes, or a symbolic link.
    sealed interface Entry {

        record Directory(int mode) implements Entry {}

        record Copy(Path file, int mode) implements Entry {}

        record Bytes(byte[] bytes, int mode) implements Entry {}

        record Link(String target) implements Entry {}
    }

    private final TreeMap<String, Entry> entries = new TreeMap<>();

    SortedMap<String, Entry> entries() {
        return entries;
    }

    FileTree directory(String path, int mode) {
        return put(path, new Entry.Directory(mode));
    }

    FileTree file(String path, Path file, int mode) {
        return put(path, new Entry.Copy(file, mode));
    }

    FileTree bytes(String path, byte[] bytes, int mode) {
        return put(path, new Entry.Bytes(bytes, mode));
    }

    FileTree text(String path, String text, int mode) {
        return bytes(path, text.getBytes(StandardCharsets.UTF_8), mode);
    }

    FileTree link(String path, String target) {
        return put(path, new Entry.Link(target));
    }

    FileTree all(FileTree other) {
        entries.putAll(other.entries);
        return this;
    }

    /// Adds another tree below a directory.
    FileTree all(String under, FileTree other) {
        other.entries.forEach((path, entry) -> put(under + "/" + path, entry));
        return this;
    }

    /// Adds a folder from disk below a directory. Files executable by their owner are programs.
    FileTree folder(String under, Path folder) throws IOException {
        List<Path> found;
        try (Stream<Path> walk = Files.walk(folder)) {
            found = walk.toList();
        }
        for (Path path : found) {
            String name = under + "/" + folder.relativize(path).toString().replace('\\', '/');
            if (Files.isSymbolicLink(path)) {
                link(name, Files.readSymbolicLink(path).toString());
            } else if (Files.isRegularFile(path)) {
                file(name, path, Files.isExecutable(path) ? PROGRAM : PLAIN);
            }
        }
        return this;
    }

    /// The content of an entry; null if it has none.
    static @Nullable InputStream open(Entry entry) throws IOException {
        return switch (entry) {
            case Entry.Copy copy -> Files.newInputStream(copy.file());
            case Entry.Bytes bytes -> new ByteArrayInputStream(bytes.bytes());
            case Entry.Directory _, Entry.Link _ -> null;
        };
    }

    private FileTree put(String path, Entry entry) {
        if (path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException(path);
        }
        int slash = path.lastIndexOf('/');
        if (slash > 0 && !entries.containsKey(path.substring(0, slash))) {
            directory(path.substring(0, slash), PROGRAM);
        }
        entries.put(path, entry);
        return this;
    }
}
