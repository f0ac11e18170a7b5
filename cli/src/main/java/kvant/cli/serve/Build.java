package kvant.cli.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import kvant.cli.engine.EngineKind;
import kvant.engine.Durability;
import kvant.server.observe.StatusPage;

/// The version of Kvant, as recorded by the build.
///
/// @param commit of the sources; empty if the build did not know it
public record Build(String version, String commit) {

    /// The version of the running program.
    public static Build own() {
        Properties written = new Properties();
        try (InputStream in = Objects.requireNonNull(Build.class.getResourceAsStream("build.properties"))) {
            written.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Build(written.getProperty("version"), written.getProperty("commit"));
    }

    /// As `/v0/status` has it.
    StatusPage.Identity with(EngineKind engine, Durability durability) {
        return new StatusPage.Identity(
                version,
                commit,
                engine.name().toLowerCase(Locale.ROOT),
                engine == EngineKind.CASSANDRA ? "" : durability.toString());
    }
}
