package kvant.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Creates all packages of a built source tree.
final class Packages {

    private Packages() {}

    /// @param said receives messages for the user
    /// @return the packages and their checksum file
    static List<Path> make(PackageOptions options, Consumer<String> said) throws IOException {
        Path work = options.out().resolve(".work");
        clear(work);
        Files.createDirectories(work);
        FileTree program = Program.assemble(options, work);
        List<Path> made = new ArrayList<>();
        made.add(archive(options, program));
        made.add(new DebianPackage(options).write(program));
        if (LibC.isKnown()) {
            FileTree libraries = LibC.of(work.resolve("runtime"), work.resolve("app"), work.resolve("natives"));
            made.add(new ContainerImage(options, work).write(libraries, program));
        } else {
            said.accept("no container image: it takes the C library from a Debian or Ubuntu, and this machine is none;"
                    + " the Dockerfile makes one from the archive");
        }
        made.add(HelmChart.write(options));
        made.add(Files.copy(
                options.template("Dockerfile"),
                options.out().resolve("Dockerfile"),
                StandardCopyOption.REPLACE_EXISTING));
        made.add(Digest.write(options.out(), made));
        clear(work);
        return made;
    }

    private static Path archive(PackageOptions options, FileTree program) throws IOException {
        Path file = options.out().resolve(options.name() + ".tar.gz");
        return new TarWriter(options.time()).gzip(file, new FileTree().all(options.name(), program));
    }

    private static void clear(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(folder)) {
            walk.sorted(Comparator.reverseOrder()).forEach(all::add);
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
