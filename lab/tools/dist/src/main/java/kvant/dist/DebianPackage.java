package kvant.dist;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import kvant.dist.FileTree.Entry;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;

/// A Debian package as described in deb(5): an ar archive of a version, an archive of control data for dpkg, and one of
/// the files. Written without dpkg, which is not available everywhere.
final class DebianPackage {

    private static final String HOME = "usr/lib/kvant";

    private final PackageOptions options;
    private final TarWriter tars;

    DebianPackage(PackageOptions options) {
        this.options = options;
        tars = new TarWriter(options.time());
    }

    /// The version with a tilde, so that `0.2.0-SNAPSHOT` sorts before `0.2.0`.
    static String version(String version) {
        return version.replace("-", "~").toLowerCase(Locale.ROOT);
    }

    Path write(FileTree program) throws IOException {
        String version = version(options.version());
        String name = "kvant_" + version + "_" + options.platform().architecture() + ".deb";
        FileTree files = files(program);
        Path data = Files.createTempFile(options.out(), "data", ".tar.gz");
        try {
            tars.gzip(data, files);
            return write(options.out().resolve(name), control(files, version), data);
        } finally {
            Files.delete(data);
        }
    }

    private Path write(Path target, FileTree control, Path data) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        tars.gzip(head, control);
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(target));
                ArArchiveOutputStream ar = new ArArchiveOutputStream(file)) {
            put(ar, "debian-binary", "2.0\n".getBytes(StandardCharsets.US_ASCII));
            put(ar, "control.tar.gz", head.toByteArray());
            ar.putArchiveEntry(entry("data.tar.gz", Files.size(data)));
            Files.copy(data, ar);
            ar.closeArchiveEntry();
        }
        return target;
    }

    private void put(ArArchiveOutputStream ar, String name, byte[] bytes) throws IOException {
        ar.putArchiveEntry(entry(name, bytes.length));
        ar.write(bytes);
        ar.closeArchiveEntry();
    }

    private ArArchiveEntry entry(String name, long size) {
        return new ArArchiveEntry(name, size, 0, 0, 0100644, options.time().getEpochSecond());
    }

    /// All files of the package. NOTICE, which lists the licenses, is linked as Debian's copyright file.
    private FileTree files(FileTree program) {
        FileTree tree = new FileTree();
        for (String path : program.entries().keySet()) {
            if (path.startsWith(ManPages.FOLDER)) {
                tree.link("usr/" + path, "../../../lib/kvant/" + path);
            }
        }
        return tree.all(HOME, program)
                .link("usr/bin/kvant", "../lib/kvant/bin/kvant")
                .link("usr/share/doc/kvant/copyright", "../../../lib/kvant/NOTICE")
                .file("etc/kvant/kvant.yaml", options.template("debian/kvant.yaml"), FileTree.PLAIN)
                .file("usr/lib/systemd/system/kvant.service", options.template("debian/kvant.service"), FileTree.PLAIN)
                .file("usr/lib/sysusers.d/kvant.conf", options.template("debian/sysusers.conf"), FileTree.PLAIN);
    }

    private FileTree control(FileTree files, String version) throws IOException {
        String control = Files.readString(options.template("debian/control"))
                .replace("@version@", version)
                .replace("@architecture@", options.platform().architecture())
                .replace("@size@", Long.toString(kibibytes(files)));
        FileTree tree = new FileTree()
                .text("control", control, FileTree.PLAIN)
                .text("conffiles", "/etc/kvant/kvant.yaml\n", FileTree.PLAIN)
                .text("md5sums", Digest.lines(files, "MD5"), FileTree.PLAIN);
        for (String script : new String[] {"postinst", "prerm", "postrm"}) {
            tree.file(script, options.template("debian/" + script), FileTree.PROGRAM);
        }
        return tree;
    }

    private static long kibibytes(FileTree files) throws IOException {
        long bytes = 0;
        for (Entry entry : files.entries().values()) {
            bytes += switch (entry) {
                case Entry.Copy copy -> Files.size(copy.file());
                case Entry.Bytes held -> held.bytes().length;
                case Entry.Directory _, Entry.Link _ -> 0;
            };
        }
        return (bytes + 1023) / 1024;
    }
}
