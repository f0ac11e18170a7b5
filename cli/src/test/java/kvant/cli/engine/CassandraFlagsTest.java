package kvant.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import kvant.cassandra.CassandraOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The command line options of the Cassandra engine, and their errors.
class CassandraFlagsTest {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void secretsAreTheFirstLinesOfTheirFiles() throws IOException {
        CassandraOptions options = options(
                "--cassandra.username=me",
                "--cassandra.password-file=" + file("password", "word\nsecond line\n"),
                "--cassandra.tls",
                "--cassandra.tls.truststore=t.p12",
                "--cassandra.tls.truststore-password-file=" + file("trust", "opens trust"),
                "--cassandra.tls.keystore=k.p12",
                "--cassandra.tls.keystore-password-file=" + file("key", "opens key\r\n"));
        assertThat(options.credentials()).isEqualTo(new CassandraOptions.Credentials("me", "word"));
        assertThat(options.tls())
                .isEqualTo(new CassandraOptions.Tls("t.p12", "opens trust", "k.p12", "opens key", true));
        assertThat(options.toString()).doesNotContain("word").doesNotContain("opens");
    }

    @Test
    void aHostnameIsCheckedUnlessAnyWillDo() {
        assertThat(options("--cassandra.tls").tls()).isEqualTo(new CassandraOptions.Tls(null, null, null, null, true));
        assertThat(options("--cassandra.tls", "--cassandra.tls.any-hostname").tls())
                .isEqualTo(new CassandraOptions.Tls(null, null, null, null, false));
        assertThat(options().tls()).isNull();
    }

    @Test
    void aSecondQuestionIsAskedAfterTheTimeGiven() {
        assertThat(options().speculation()).isNull();
        assertThat(options("--cassandra.speculative=20").speculation()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void halvesOfWhatBelongsTogetherAreRefused() throws IOException {
        Path password = file("password", "word");
        refused("go together", "--cassandra.username=me");
        refused("go together", "--cassandra.password-file=" + password);
        refused("need '--cassandra.tls'", "--cassandra.tls.keystore=k.p12");
        refused("need '--cassandra.tls'", "--cassandra.tls.any-hostname");
        refused("cannot read", "--cassandra.username=me", "--cassandra.password-file=" + folder.resolve("none"));
    }

    private static void refused(String reason, String... words) {
        assertThatThrownBy(() -> options(words))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    private static CassandraOptions options(String... words) {
        return CommandLine.populateCommand(new CassandraFlags(), words).options();
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
