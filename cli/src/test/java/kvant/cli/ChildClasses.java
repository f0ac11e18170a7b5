package kvant.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// The class path of the tests as their child processes get it, with an archive of the classes that a node loads, which
/// halves the start of a child. Made once for each JVM of tests. The JVM archives classes of jars alone, so that
/// folders become jars.
final class ChildClasses {

    private static final long SECONDS = 60;

    /// Made by whoever asks first.
    private static final class Holder {
        static final List<String> OPTIONS = make();
    }

    private ChildClasses() {}

    /// Words for the JVM of a child: its class path, and the archive where there is one.
    static List<String> options() {
        return Holder.OPTIONS;
    }

    private static List<String> make() {
        try {
            Path folder = Files.createTempDirectory("kvant-child-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            List<String> path = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                Path place = Path.of(entry);
                if (Files.isDirectory(place)) {
                    place = jar(place, folder.resolve(path.size() + ".jar"));
                }
                if (Files.exists(place)) {
                    path.add(place.toString());
                }
            }
            String classPath = String.join(File.pathSeparator, path);
            Path archive = folder.resolve("classes.jsa");
            return train(classPath, archive, folder)
                    ? List.of("-XX:SharedArchiveFile=" + archive, "-cp", classPath)
                    : List.of("-cp", classPath);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A node that starts and ends. A child without the archive is only slower.
    private static boolean train(String classPath, Path archive, Path folder) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(ChildNode.jvm());
        command.addAll(List.of("-Xmx256m", "-XX:ArchiveClassesAtExit=" + archive, "-cp", classPath));
        command.add(ChildNode.MAIN);
        command.addAll(ChildNode.serveArguments(folder.resolve("data")));
        Process node = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (!Files.readString(folder.resolve("said")).contains("listening on ")) {
                if (node.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                    return false;
                }
            }
            node.destroy();
            return node.waitFor(SECONDS, TimeUnit.SECONDS) && Files.exists(archive);
        } finally {
            node.destroyForcibly();
        }
    }

    private static Path jar(Path folder, Path jar) throws IOException {
        try (Stream<Path> files = Files.walk(folder);
                OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
            zip.setLevel(0);
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                zip.putNextEntry(new ZipEntry(folder.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, zip);
            }
        }
        return jar;
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        } catch (IOException _) {
            // what is left lies in the folder for temporary files
        }
    }
}
