package kvant.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.lab.process.Programs;
import kvant.text.UserException;

/// A Java runtime with the modules that Kvant needs, linked from the running JDK.
final class JavaRuntime {

    /// The output of `jdeps --print-module-deps` for Kvant's class path, without the desktop module: libraries use its
    /// property editors only if the application supplies some.
    static final List<String> MODULES = List.of(
            "java.base",
            "java.naming",
            "java.net.http",
            "java.security.sasl",
            "java.sql",
            "jdk.attach",
            "jdk.jfr",
            "jdk.management",
            "jdk.net",
            "jdk.unsupported");

    private JavaRuntime() {}

    /// In a separate process, because a second image linked in one process has different bytes.
    static Path link(Path folder) throws IOException {
        Path jlink = Path.of(System.getProperty("java.home"), "bin/jlink");
        if (!Files.isExecutable(jlink)) {
            throw new UserException("there is no " + jlink + ": run with a whole JDK 25");
        }
        Programs.run(List.of(
                jlink.toString(),
                "--add-modules",
                String.join(",", MODULES),
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                folder.toString()));
        // The archive of the JDK's classes in memory format, mapped at each start without an application cache.
        Programs.run(folder.resolve("bin/java").toString(), "-Xshare:dump", "-Xmx128m");
        return folder;
    }
}
