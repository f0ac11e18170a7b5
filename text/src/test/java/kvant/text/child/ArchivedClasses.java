package kvant.text.child;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// The class path of a test as its child processes get it, with an archive of the classes that such a child
/// loads: its start takes a third less of the processor. The JVM archives classes of jars alone, so that folders
/// become jars.
///
/// Made on first use and kept in `target`, for all JVMs of tests, as long as the class path is the same, byte for byte.
public final class ArchivedClasses {

    private static final long SECONDS = 60;
    private static final long LOOK_MILLIS = 20;

    private final Path archive;
    private final String classPath;

    private ArchivedClasses(Path archive, String classPath) {
        this.archive = archive;
        this.classPath = classPath;
    }

    /// @param name of the kind of child
    /// @param java the program `java` and its options; those of modules have to be those of children
    /// @param program main class and arguments of a child that is watched until it says that it is ready, in
    /// a folder of its own, and ended
    /// @param ready what it prints then
    public static synchronized ArchivedClasses of(String name, List<String> java, List<String> program, String ready) {
        try {
            Path kept =
                    Files.createDirectories(Path.of("target", "children", name).toAbsolutePath());
            try (FileChannel file = FileChannel.open(
                            kept.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = file.lock()) {
                return make(kept, java, program, ready);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Words for the JVM of a child: its class path, and the archive where there is one.
    public List<String> options() {
        return Stream.concat(archiveOption().stream(), Stream.of("-cp", classPath))
                .toList();
    }

    /// For a child that gets its class path otherwise.
    public List<String> archiveOption() {
        return Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive) : List.of();
    }

    public String classPath() {
        return classPath;
    }

    private static ArchivedClasses make(Path kept, List<String> java, List<String> program, String ready)
            throws IOException, InterruptedException {
        List<Path> entries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty()) // Surefire leaves one, which would be the folder of the module
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        Path folder = Files.createDirectories(kept.resolve(fingerprint(entries)));
        Path mark = folder.resolve("made");
        boolean isMade = Files.exists(mark);
        List<String> path = new ArrayList<>();
        for (Path entry : entries) {
            Path jar = Files.isDirectory(entry) ? folder.resolve(path.size() + ".jar") : entry.toAbsolutePath();
            if (Files.isDirectory(entry) && !isMade) {
                pack(entry, jar);
            }
            path.add(jar.toString());
        }
        ArchivedClasses made =
                new ArchivedClasses(folder.resolve("classes.jsa"), String.join(File.pathSeparator, path));
        if (!isMade) {
            made.watch(java, program, ready, Files.createTempDirectory(folder, "scratch"));
            Files.createFile(mark);
        }
        return made;
    }

    /// Of all files in folders, and of jars by what a disk says of them.
    private static String fingerprint(List<Path> entries) throws IOException {
        CRC32 sum = new CRC32();
        for (Path entry : entries) {
            sum.update(entry.toString().getBytes(StandardCharsets.UTF_8));
            if (Files.isDirectory(entry)) {
                for (Path file : files(entry)) {
                    sum.update(file.toString().getBytes(StandardCharsets.UTF_8));
                    sum.update(Files.readAllBytes(file));
                }
            } else {
                String said = Files.size(entry) + " " + Files.getLastModifiedTime(entry);
                sum.update(said.getBytes(StandardCharsets.UTF_8));
            }
        }
        return Long.toHexString(sum.getValue());
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void pack(Path folder, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
            zip.setLevel(0);
            for (Path file : files(folder)) {
                zip.putNextEntry(new ZipEntry(folder.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, zip);
            }
        }
    }

    /// A child that starts and ends. Others without the archive are only slower.
    private void watch(List<String> java, List<String> program, String ready, Path scratch)
            throws IOException, InterruptedException {
        Files.deleteIfExists(archive);
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-cp", classPath));
        command.addAll(program);
        Path said = scratch.resolve("said");
        Process child = new ProcessBuilder(command)
                .directory(scratch.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (!Files.readString(said).contains(ready)) {
                if (child.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                    return;
                }
            }
            child.destroy();
            boolean _ = child.waitFor(SECONDS, TimeUnit.SECONDS);
        } finally {
            child.destroyForcibly();
        }
    }
}
