package kvant.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kvant.lab.process.Folders;

/// Creates all packages of a built source tree.
final class Packages {

    private Packages() {}

    /// @param said receives messages for the user
    /// @return the packages and their checksum file
    static List<Path> make(PackageOptions options, Consumer<String> said) throws IOException {
        Path work = options.out().resolve(".work");
        Folders.delete(work);
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
        made.add(chart(options));
        made.add(Files.copy(
                options.template("Dockerfile"),
                options.out().resolve("Dockerfile"),
                StandardCopyOption.REPLACE_EXISTING));
        made.add(Digest.write(options.out(), made));
        Folders.delete(work);
        return made;
    }

    private static Path archive(PackageOptions options, FileTree program) throws IOException {
        Path file = options.out().resolve(options.name() + ".tar.gz");
        return new TarWriter(options.time()).gzip(file, new FileTree().all(options.name(), program));
    }

    /// The Helm chart as an archive, named as by `helm package`.
    static Path chart(PackageOptions options) throws IOException {
        Path folder = options.template("chart/kvant");
        String description = Files.readString(folder.resolve("Chart.yaml")).replace("@version@", options.version());
        FileTree tree = new FileTree().folder("kvant", folder).text("kvant/Chart.yaml", description, FileTree.PLAIN);
        Path file = options.out().resolve("kvant-chart-" + options.version() + ".tgz");
        return new TarWriter(options.time()).gzip(file, tree);
    }
}
