package kvant.lab.run;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Where programs of other servers are looked for: on `PATH`, and where a distribution has servers, which
/// the `PATH` of a person often leaves out.
final class ProgramPath {

    private static final String OF_SERVERS = String.join(File.pathSeparator, "/usr/local/sbin", "/usr/sbin", "/sbin");

    private ProgramPath() {}

    /// The value of `PATH` for a served process.
    static String text() {
        String own = System.getenv().getOrDefault("PATH", "");
        return own.isEmpty() ? OF_SERVERS : own + File.pathSeparator + OF_SERVERS;
    }

    static boolean has(String program) {
        return Stream.of(text().split(File.pathSeparator))
                .filter(part -> !part.isEmpty())
                .anyMatch(part -> Files.isExecutable(Path.of(part, program)));
    }
}
