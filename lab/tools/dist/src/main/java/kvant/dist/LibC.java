package kvant.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.lab.process.Programs;
import kvant.text.UserException;

/// The system libraries that a program loads, and a UTF-8 locale, taken from the machine that builds the image, because
/// the image is built without a base image from a registry.
///
/// The files are Debian's, unchanged. Names and versions of their packages, and their licences, are where scanners
/// expect them, so that the image documents its contents. On a machine other than Debian no image is built.
final class LibC {

    private static final Pattern LOADED = Pattern.compile("(?:=> )?(/\\S+) \\(0x");

    /// The C library reads it from files; it is not built in.
    private static final String LOCALE = "/usr/lib/locale/C.utf8";

    private LibC() {}

    /// True if the packages of this machine's libraries can be determined.
    static boolean isKnown() {
        return Files.isExecutable(Path.of("/usr/bin/dpkg-query")) && Files.isExecutable(Path.of("/usr/bin/ldd"));
    }

    /// @param program a folder with all executables
    /// @param jars a folder of jars, some with native libraries
    /// @param work for extracted native libraries
    static FileTree of(Path program, Path jars, Path work) throws IOException {
        List<Path> binaries = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(program)) {
            walk.filter(file -> Files.isRegularFile(file) && isBinary(file)).forEach(binaries::add);
        }
        binaries.addAll(unpack(jars, work));
        TreeSet<String> needed = new TreeSet<>();
        for (Path binary : binaries) {
            needed.addAll(loadedBy(binary, program));
        }
        FileTree tree = new FileTree();
        TreeSet<String> packages = new TreeSet<>();
        needed.addAll(locale());
        for (String library : needed) {
            Path real = Path.of(library).toRealPath();
            tree.file(library.substring(1), real, library.startsWith(LOCALE) ? FileTree.PLAIN : FileTree.PROGRAM);
            packages.add(owner(real, library));
        }
        for (String name : packages) {
            describe(tree, name);
        }
        return tree;
    }

    private static List<String> locale() throws IOException {
        try (Stream<Path> walk = Files.walk(Path.of(LOCALE))) {
            return walk.filter(Files::isRegularFile).map(Path::toString).toList();
        }
    }

    private static boolean isBinary(Path file) {
        String path = file.toString();
        return path.endsWith(".so") || path.endsWith("/bin/java");
    }

    private static List<Path> unpack(Path jars, Path work) throws IOException {
        List<Path> unpacked = new ArrayList<>();
        List<Path> all;
        try (Stream<Path> found = Files.list(jars)) {
            all = found.sorted().toList();
        }
        Files.createDirectories(work);
        for (Path jar : all) {
            try (JarFile in = new JarFile(jar.toFile(), false)) {
                for (JarEntry entry : in.stream().toList()) {
                    if (entry.getName().endsWith(".so")) {
                        Path target = work.resolve(unpacked.size() + ".so");
                        try (InputStream content = in.getInputStream(entry)) {
                            Files.copy(content, target);
                        }
                        unpacked.add(target);
                    }
                }
            }
        }
        return unpacked;
    }

    /// JVM libraries find each other by their own mechanisms.
    private static List<String> loadedBy(Path binary, Path program) throws IOException {
        List<String> loaded = new ArrayList<>();
        for (String line :
                Programs.run(List.of("/usr/bin/ldd", binary.toString())).lines().toList()) {
            Matcher found = LOADED.matcher(line);
            if (found.find()) {
                if (!Path.of(found.group(1)).startsWith(program)) {
                    loaded.add(found.group(1));
                }
            } else if (line.contains("not found") && !line.contains("libjvm.so")) {
                throw new UserException(binary + " needs a library that is not here: " + line.strip());
            }
        }
        return loaded;
    }

    /// A library may be registered under its path before or after resolving the links of `/lib`.
    private static String owner(Path real, String library) throws IOException {
        for (String path : List.of(real.toString(), real.toString().replaceFirst("^/usr", ""), library)) {
            try {
                String said = Programs.run(List.of("/usr/bin/dpkg-query", "-S", path));
                return said.substring(0, said.lastIndexOf(": "));
            } catch (IOException _) {
                continue; // not registered under this name
            }
        }
        throw new UserException(real + " belongs to no package: an image may hold only what says where it is from");
    }

    private static void describe(FileTree tree, String name) throws IOException {
        String plain = name.replaceFirst(":.*", "");
        String status = Programs.run(List.of("/usr/bin/dpkg-query", "-s", name));
        tree.text("var/lib/dpkg/status.d/" + plain, status, FileTree.PLAIN);
        Path licence = Path.of("/usr/share/doc", plain, "copyright");
        if (Files.exists(licence)) { // missing if the machine is an image without documents
            tree.file("usr/share/doc/" + plain + "/copyright", licence.toRealPath(), FileTree.PLAIN);
        }
    }
}
