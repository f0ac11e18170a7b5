package kvant.lab.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The search path for programs of other servers: `PATH`, and the server folders of distributions, which a user's
/// `PATH` often lacks.
public final class ProgramPath {

    private static final String OF_SERVERS = String.join(File.pathSeparator, "/usr/local/sbin", "/usr/sbin", "/sbin");

    private ProgramPath() {}

    /// The value of `PATH` for a served process.
    public static String text() {
        String own = System.getenv().getOrDefault("PATH", "");
        return own.isEmpty() ? OF_SERVERS : own + File.pathSeparator + OF_SERVERS;
    }

    /// True if the program exists and is executable.
    public static boolean has(String program) {
        return find(program) != null;
    }

    /// The path of a program; null if it does not exist or is not executable.
    public static @Nullable Path find(String program) {
        return Stream.of(text().split(File.pathSeparator))
                .filter(part -> !part.isEmpty())
                .map(part -> Path.of(part, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }
}
