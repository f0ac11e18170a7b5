package kvant.cli.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/// Which Kvant this is, as the build wrote it down.
///
/// @param commit of the sources; empty where the build did not know it
public record Build(String version, String commit) {

    /// Of the program that runs.
    public static Build own() {
        Properties written = new Properties();
        try (InputStream in = Objects.requireNonNull(Build.class.getResourceAsStream("build.properties"))) {
            written.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Build(written.getProperty("version"), written.getProperty("commit"));
    }
}
