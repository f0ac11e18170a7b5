package kvant.lab.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where programs of other servers are looked for: on `PATH`, and where a distribution has servers, which
/// the `PATH` of a person often leaves out.
public final class ProgramPath {

    private static final String OF_SERVERS = String.join(File.pathSeparator, "/usr/local/sbin", "/usr/sbin", "/sbin");

    private ProgramPath() {}

    /// The value of `PATH` for a served process.
    public static String text() {
        String own = System.getenv().getOrDefault("PATH", "");
        return own.isEmpty() ? OF_SERVERS : own + File.pathSeparator + OF_SERVERS;
    }

    /// Whether it is there, and may be started.
    public static boolean has(String program) {
        return find(program) != null;
    }

    /// Its path; null where it is not there, or may not be started.
    public static @Nullable Path find(String program) {
        return Stream.of(text().split(File.pathSeparator))
                .filter(part -> !part.isEmpty())
                .map(part -> Path.of(part, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }
}
