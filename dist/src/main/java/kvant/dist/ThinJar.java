package kvant.dist;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Jars without the native libraries of other platforms: those of RocksDB alone are 80 MB.
final class ThinJar {

    private ThinJar() {}

    /// Puts a jar into a folder, without what its platform cannot load.
    ///
    /// @return whether anything is left: a jar that had nothing but foreign libraries is not written
    static boolean write(Path jar, Path target, Platform platform) throws IOException {
        try (JarFile in = new JarFile(jar.toFile(), false)) {
            List<JarEntry> all = Collections.list(in.entries());
            boolean hasForeign = all.stream().anyMatch(entry -> platform.isForeign(entry.getName()));
            if (!hasForeign) {
                Files.copy(jar, target);
                return true;
            }
            List<JarEntry> kept = all.stream()
                    .filter(entry -> !platform.isForeign(entry.getName()))
                    .toList();
            if (kept.stream().allMatch(entry -> entry.isDirectory() || isDescription(entry.getName()))) {
                return false;
            }
            copy(in, kept, target);
            return true;
        }
    }

    /// What is in a jar of libraries besides them.
    private static boolean isDescription(String name) {
        return name.startsWith("META-INF/") && !name.startsWith("META-INF/native/");
    }

    private static void copy(JarFile in, List<JarEntry> kept, Path target) throws IOException {
        try (OutputStream file = Files.newOutputStream(target);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (JarEntry entry : kept) {
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTime(entry.getTime());
                out.putNextEntry(copy);
                try (InputStream content = in.getInputStream(entry)) {
                    content.transferTo(out);
                }
                out.closeEntry();
            }
        }
    }
}
