package kvant.cassandra;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import kvant.cluster.Cluster;
import kvant.cluster.ClusterException;
import kvant.cluster.ServerJava;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.text.tool.Tool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster that asks who its clients are: one node with passwords and TLS, whose certificate does not
/// name its host, and which asks its clients for a certificate as well.
@Tag("full") // a minute: a cluster of its own
class SecurityTest {

    private static final String POINT = "127.0.0.4:9042";
    private static final String SECRET = "store-secret";
    private static final Path DIRECTORY = Path.of("target", "secure-cluster");

    @TempDir
    private static Path keys = Path.of("");

    private static Cluster cluster = new Cluster(DIRECTORY, QuickServers.at(4, ""));

    @BeforeAll
    static void start() throws Exception {
        try {
            ServerJava.find(System.getenv());
        } catch (ClusterException e) {
            Tool.leaveOut(String.valueOf(e.getMessage()), "openjdk-17-jre-headless");
        }
        if (Files.exists(DIRECTORY)) {
            cluster.down(true); // what an interrupted run has left
        }
        String options = " -storepass " + SECRET + " -storetype PKCS12";
        keytool("-genkeypair -alias both -keyalg EC -dname CN=kvant -ext san=dns:elsewhere.example -validity 30"
                + " -keystore key.p12" + options);
        keytool("-exportcert -alias both -file both.der -keystore key.p12" + options);
        keytool("-importcert -noprompt -alias both -file both.der -keystore trust.p12" + options);
        keytool("-genkeypair -alias other -keyalg EC -dname CN=other -validity 30 -keystore other.p12" + options);
        cluster = new Cluster(DIRECTORY, QuickServers.at(4, """

                authenticator: PasswordAuthenticator
                client_encryption_options:
                  enabled: true
                  optional: false
                  keystore: "%1$s/key.p12"
                  keystore_password: %2$s
                  require_client_auth: true
                  truststore: "%1$s/trust.p12"
                  truststore_password: %2$s
                """.formatted(keys, SECRET)));
        cluster.up(1, TestCluster.root(), Duration.ofMinutes(4), _ -> {});
    }

    @AfterAll
    static void stop() {
        if (Files.exists(DIRECTORY)) {
            cluster.down(true);
        }
    }

    @Test
    void aNodeThatIsLetInReadsAndWrites() {
        try (CassandraEngine engine = open(draft -> {})) {
            Samples.write(engine, Samples.put("key", "value"));
            assertThat(Samples.valueOf(Samples.read(engine, bytes("key")))).isEqualTo("value");
        }
    }

    @Test
    void aWrongPasswordIsRefusedInOneLineWithoutIt() {
        assertThatThrownBy(() -> open(draft ->
                                draft.credentials = new CassandraOptions.Credentials("cassandra", "guessed-word"))
                        .close())
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("--cassandra.password-file")
                .hasMessageNotContaining("guessed-word")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aNodeWithoutTlsIsRefused() {
        refused(draft -> draft.tls = null);
    }

    @Test
    void aServerThatIsNotTrustedIsRefused() {
        refused(draft -> draft.tls = tls("other.p12", "key.p12", false));
    }

    @Test
    void aCertificateMustNameItsHostUnlessAnyWillDo() {
        refused(draft -> draft.tls = tls("trust.p12", "key.p12", true));
    }

    @Test
    void aNodeWithoutTheCertificateThatTheClusterAsksForIsRefused() {
        refused(draft -> draft.tls = tls("trust.p12", null, false));
        refused(draft -> draft.tls = tls("trust.p12", "other.p12", false));
    }

    private static void refused(Consumer<CassandraOptions.Draft> change) {
        assertThatThrownBy(() -> open(change).close())
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining(POINT)
                .hasMessageNotContaining(SECRET);
    }

    private static CassandraEngine open(Consumer<CassandraOptions.Draft> change) {
        CassandraOptions.Draft draft = new CassandraOptions.Draft(List.of(POINT));
        draft.credentials = new CassandraOptions.Credentials("cassandra", "cassandra"); // that of a new cluster
        draft.tls = tls("trust.p12", "key.p12", false);
        draft.replication = 1;
        draft.buckets = 2;
        change.accept(draft);
        return CassandraEngine.open(draft.options());
    }

    private static CassandraOptions.Tls tls(String truststore, @Nullable String keystore, boolean hostnames) {
        return new CassandraOptions.Tls(
                keys.resolve(truststore).toString(),
                SECRET,
                keystore == null ? null : keys.resolve(keystore).toString(),
                keystore == null ? null : SECRET,
                hostnames);
    }

    private static void keytool(String words) throws IOException, InterruptedException {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder((tool + " " + words).split(" "))
                .directory(keys.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(said).isZero();
    }
}
