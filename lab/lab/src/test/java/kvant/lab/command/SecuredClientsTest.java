package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.cli.ChildNode;
import kvant.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Commands that talk to a real node with tokens, and with TLS.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SecuredClientsTest {

    private static final String PASSWORD = "changeit";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    /// @return the file that holds the token
    private String token(String name, String scopes) throws IOException {
        assertThat(execute("token", "new", name, "--scope", scopes, "--tokens", file("tokens")))
                .isZero();
        Files.writeString(folder.resolve(name), out.toString());
        return file(name);
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private ChildNode node(String data, String... more) throws Exception {
        List<String> options = new ArrayList<>(List.of("--tokens", file("tokens"), "--debug-page"));
        options.addAll(Arrays.asList(more));
        return ChildNode.serve(folder.resolve(data), options.toArray(String[]::new));
    }

    /// Makes `cert` and `key`.
    private void makeCertificate() throws Exception {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keyalg",
                        "EC",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file("store"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance(folder.resolve("store").toFile(), PASSWORD.toCharArray());
        write("cert", "CERTIFICATE", store.getCertificate("own").getEncoded());
        write("key", "PRIVATE KEY", store.getKey("own", PASSWORD.toCharArray()).getEncoded());
    }

    private void write(String name, String kind, byte[] encoded) throws IOException {
        Files.writeString(
                folder.resolve(name),
                "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(encoded) + "\n-----END "
                        + kind + "-----\n");
    }

    @Test
    void loadAndSlowPresentTheTokenOfAFile() throws Exception {
        String app = token("app", "read,write");
        String boss = token("boss", "admin");
        try (ChildNode node = node("data")) {
            String[] load = {"load", "-d", "1s", "--warmup", "0s", "-c", "1", "--format", "json", "--workload", "put"};
            List<String> with = new ArrayList<>(List.of(load));
            with.addAll(List.of("--token-file", app, node.url()));
            execute(with.toArray(String[]::new));
            assertThat(out.toString()).contains("\"201\"").doesNotContain("\"401\"");
            assertThat(out + err.toString())
                    .doesNotContain(Files.readString(Path.of(app)).strip());

            assertThat(execute("slow", "--url", node.url(), "--token-file", boss))
                    .isZero();
            assertThat(out.toString()).startsWith("ended");
            assertThat(execute("slow", "--url", node.url())).isEqualTo(1);
            assertThat(err.toString()).contains("answered 401: give a token with the scope admin");
            assertThat(execute("slow", "--url", node.url(), "--token-file", app))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("answered 403: give a token");
            assertThat(node.stop()).isZero();
        }
    }

    @Test
    void copiesGoFromOneSecuredNodeToAnother() throws Exception {
        String app = token("app", "read,write");
        String boss = token("boss", "admin");
        makeCertificate();
        try (ChildNode plain = node("one");
                ChildNode tls = node("two", "--tls-cert", file("cert"), "--tls-key", file("key"))) {
            assertThat(tls.url()).startsWith("https://");
            execute(
                    "load",
                    "-d",
                    "1s",
                    "--warmup",
                    "0s",
                    "-c",
                    "1",
                    "--workload",
                    "put",
                    "--token-file",
                    app,
                    plain.url());
            List<String> copy = List.of(
                    "copy",
                    "--from",
                    plain.url(),
                    "--to",
                    tls.url(),
                    "--state",
                    file("state"),
                    "--cacert",
                    file("cert"));
            assertThat(execute(copy.toArray(String[]::new))).isEqualTo(1);
            assertThat(err.toString()).contains("401");

            List<String> withTokens = new ArrayList<>(copy);
            withTokens.addAll(List.of("--from-token-file", app, "--to-token-file", app));
            assertThat(execute(withTokens.toArray(String[]::new)))
                    .as(err.toString())
                    .isZero();

            assertThat(execute("slow", "--url", tls.url(), "--token-file", boss, "--cacert", file("cert")))
                    .as(err.toString())
                    .isZero();
            assertThat(execute("slow", "--url", tls.url(), "--token-file", boss))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("the certificate of " + tls.url() + " is not trusted");
            assertThatLoadsAreSecured(tls, app);
            assertThat(tls.stop()).isZero();
            assertThat(plain.stop()).isZero();
        }
    }

    private void assertThatLoadsAreSecured(ChildNode tls, String token) {
        List<String> load = List.of(
                "load", "-d", "1s", "--warmup", "0s", "-c", "2", "--format", "json", "--workload", "put", tls.url());
        List<String> trusting = new ArrayList<>(load);
        trusting.addAll(List.of("--token-file", token, "--cacert", file("cert")));
        execute(trusting.toArray(String[]::new));
        assertThat(out.toString()).contains("\"201\"").doesNotContain("\"401\"");
        assertThat(execute(load.toArray(String[]::new))).isEqualTo(1);
        assertThat(err.toString().lines().filter(line -> !line.contains("this machine is busy"))) // with other tests
                .singleElement()
                .asString()
                .startsWith("kvant: cannot connect to ")
                .contains("comes from no authority that is trusted here");
    }

    @Test
    void aFileThatHoldsNoTokenIsExplainedInOneLine() throws Exception {
        Files.writeString(folder.resolve("two words"), "one two");
        for (String[] wrong : new String[][] {
            {file("two words"), "holds no token"},
            {file("none"), "there is no such file"},
            {folder.toString(), "cannot read"}
        }) {
            assertThat(execute("slow", "--url", "http://127.0.0.1:1", "--token-file", wrong[0]))
                    .isEqualTo(2);
            assertThat(err.toString().lines()).singleElement().asString().contains(wrong[1]);
            assertThat(err.toString()).doesNotContain("one two");
        }
        assertThat(execute("slow", "--url", "https://127.0.0.1:1", "--cacert", file("two words")))
                .isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("holds no certificates in PEM");
    }
}
