package kvant.dist;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Jars without native libraries for other platforms: those of RocksDB alone take 80 MB. Old classes are converted by
/// [NewerClasses].
final class ThinJar {

    /// Unreachable parts of LuaJ: a compiler to class files, based on a missing library, and access to Java.
    private static final List<String> UNUSED = List.of(
            "org/luaj/vm2/luajc/", "org/luaj/vm2/lib/jse/", "org/luaj/vm2/script/", "META-INF/services/javax.script.");

    private ThinJar() {}

    private static boolean isLeftOut(JarEntry entry, Platform platform) {
        return platform.isForeign(entry.getName()) || UNUSED.stream().anyMatch(entry.getName()::startsWith);
    }

    /// Copies a jar to a folder, without files that the platform cannot load.
    ///
    /// @return false if nothing is left: a jar with only foreign libraries is not written
    static boolean write(Path jar, Path target, Platform platform) throws IOException {
        try (JarFile in = new JarFile(jar.toFile(), false)) {
            List<JarEntry> all = Collections.list(in.entries());
            boolean hasForeign = all.stream().anyMatch(entry -> isLeftOut(entry, platform));
            if (!hasForeign && !hasOld(in, all)) {
                Files.copy(jar, target);
                return true;
            }
            List<JarEntry> kept =
                    all.stream().filter(entry -> !isLeftOut(entry, platform)).toList();
            if (kept.stream().allMatch(entry -> entry.isDirectory() || isDescription(entry.getName()))) {
                return false;
            }
            copy(in, kept, target);
            return true;
        }
    }

    /// True for other files in a jar of native libraries.
    private static boolean isDescription(String name) {
        return name.startsWith("META-INF/") && !name.startsWith("META-INF/native/");
    }

    private static boolean hasOld(JarFile in, List<JarEntry> entries) throws IOException {
        for (JarEntry entry : entries) {
            if (NewerClasses.isOld(in, entry)) {
                return true;
            }
        }
        return false;
    }

    private static void copy(JarFile in, List<JarEntry> kept, Path target) throws IOException {
        try (OutputStream file = Files.newOutputStream(target);
                ZipOutputStream out = new ZipOutputStream(file)) {
            NewerClasses classes = new NewerClasses(in);
            boolean changed = false;
            for (JarEntry entry : kept) {
                boolean old = NewerClasses.isOld(in, entry);
                changed |= old;
                try (InputStream content = in.getInputStream(entry)) {
                    byte[] bytes = content.readAllBytes();
                    put(out, entry.getName(), entry.getTime(), old ? classes.written(bytes) : bytes);
                }
            }
            if (changed) {
                put(
                        out,
                        NewerClasses.MARK,
                        kept.getFirst().getTime(),
                        NewerClasses.WORDS.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static void put(ZipOutputStream out, String name, long time, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(time);
        out.putNextEntry(entry);
        out.write(content);
        out.closeEntry();
    }
}
