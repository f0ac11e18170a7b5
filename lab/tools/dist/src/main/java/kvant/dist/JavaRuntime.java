package kvant.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.text.UserException;

/// A Java runtime of the modules that Kvant needs, linked from the JDK that runs this.
final class JavaRuntime {

    /// What `jdeps --print-module-deps` names for the class path of Kvant, without the desktop: of it,
    /// libraries ask for property editors only if somebody gives them some.
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

    /// In a process of its own: a second image that one process links has other bytes.
    static Path link(Path folder) throws IOException {
        Path jlink = Path.of(System.getProperty("java.home"), "bin/jlink");
        if (!Files.isExecutable(jlink)) {
            throw new UserException("there is no " + jlink + ": run with a whole JDK 25");
        }
        Processes.run(List.of(
                jlink.toString(),
                "--add-modules",
                String.join(",", MODULES),
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                folder.toString()));
        archive(folder);
        return folder;
    }

    /// The classes of the JDK as they lie in memory, which each start without a cache of its own maps.
    private static void archive(Path runtime) throws IOException {
        Processes.run(List.of(runtime.resolve("bin/java").toString(), "-Xshare:dump", "-Xmx128m"));
    }
}
