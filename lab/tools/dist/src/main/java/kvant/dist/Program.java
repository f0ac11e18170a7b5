package kvant.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import kvant.text.UserException;

/// The files of the program in every package: runtime, libraries, launcher, licences and the list of parts.
final class Program {

    private static final Pattern LICENCE =
            Pattern.compile("(META-INF/)?(LICENSE|NOTICE|COPYING)[^/]*", Pattern.CASE_INSENSITIVE);

    private Program() {}

    /// @param work a folder for intermediate files, needed until the tree is written
    static FileTree assemble(PackageOptions options, Path work) throws IOException {
        Path libraries = options.dist().resolve("lib");
        Path parts = options.dist().resolve("sbom.cdx.json");
        if (!Files.isDirectory(libraries) || !Files.exists(parts)) {
            throw new UserException(options.dist() + " has no program: build it by './kvant package'");
        }
        Path launcher = options.root().resolve("cli/src/main/launcher");
        FileTree tree = new FileTree()
                .folder("lib/runtime", JavaRuntime.link(work.resolve("runtime")))
                .file("lib/jvm.options", launcher.resolve("jvm.options"), FileTree.PLAIN)
                .file("lib/train.sh", launcher.resolve("train.sh"), FileTree.PLAIN)
                .file("bin/kvant", options.template("kvant"), FileTree.PROGRAM)
                .file("bin/kvant-train", options.template("kvant-train"), FileTree.PROGRAM)
                .file("LICENSE", options.root().resolve("LICENSE"), FileTree.PLAIN)
                .file("THIRD-PARTY.md", options.root().resolve("THIRD-PARTY.md"), FileTree.PLAIN)
                .file("sbom.cdx.json", parts, FileTree.PLAIN)
                .text("NOTICE", Notice.of(parts, options.version()), FileTree.PLAIN)
                .folder("licences", options.template("licences"));
        addLibraries(tree, libraries, Files.createDirectories(work.resolve("app")), options.platform());
        tree.all(ManPages.of(work.resolve("runtime/bin/java"), libraries, work.resolve("man")));
        return tree.text(Digest.FILE, Digest.lines(tree, "SHA-256"), FileTree.PLAIN);
    }

    private static void addLibraries(FileTree tree, Path libraries, Path thin, Platform platform) throws IOException {
        List<Path> jars;
        try (Stream<Path> all = Files.list(libraries)) {
            jars = all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
        for (Path jar : jars) {
            Path target = thin.resolve(jar.getFileName());
            if (ThinJar.write(jar, target, platform)) {
                tree.file("lib/app/" + jar.getFileName(), target, FileTree.PLAIN);
                addLicences(tree, jar);
            }
        }
    }

    /// Extracts licences and notices from jars, where they are hard to find.
    private static void addLicences(FileTree tree, Path jar) throws IOException {
        String name = String.valueOf(jar.getFileName()).replace(".jar", "");
        try (JarFile in = new JarFile(jar.toFile(), false)) {
            for (JarEntry entry : in.stream().toList()) {
                if (!entry.isDirectory() && LICENCE.matcher(entry.getName()).matches()) {
                    try (InputStream content = in.getInputStream(entry)) {
                        String file = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
                        tree.bytes("licences/" + name + "/" + file, content.readAllBytes(), FileTree.PLAIN);
                    }
                }
            }
        } catch (ZipException e) {
            throw new UserException(jar + " is no jar: build it again by './kvant package'", e);
        }
    }
}
