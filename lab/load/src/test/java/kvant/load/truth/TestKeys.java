package kvant.load.truth;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// An authority and servers with certificates of it, made by the JDK's keytool once for all tests of a JVM.
public final class TestKeys {

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final long LIMIT_SECONDS = 120;
    private static final String EC = "-keyalg EC -groupname secp256r1 -storetype PKCS12 -storepass changeit";

    /// Whom a server pretends to be.
    public enum Of {
        LOCALHOST("-ext san=dns:localhost,ip:127.0.0.1 -validity 3650"),
        ELSEWHERE("-ext san=dns:elsewhere.example -validity 3650"),
        EXPIRED("-ext san=dns:localhost,ip:127.0.0.1 -startdate -10d -validity 5");

        private final String options;

        Of(String options) {
            this.options = options;
        }
    }

    private static final KeyStore STORE = make();

    private TestKeys() {}

    private static KeyStore make() {
        try {
            Path folder = Files.createTempDirectory("kvant-keys");
            Path file = folder.resolve("keys.p12");
            keytool("-genkeypair -alias ca -dname CN=authority -ext bc:c -validity 3650 " + EC, file);
            for (Of each : Of.values()) {
                keytool("-genkeypair -alias " + each + " -signer ca -dname CN=x " + each.options + " " + EC, file);
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, PASSWORD);
            }
            Files.delete(file);
            Files.delete(folder);
            return store;
        } catch (IOException | InterruptedException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static void keytool(String options, Path file) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("-keystore", file.toString()));
        Process made = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!made.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || made.exitValue() != 0) {
            throw new AssertionError("keytool " + options);
        }
    }

    /// The authority's certificate, for `--cacert`.
    public static String authorityPem() {
        try {
            return "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'})
                            .encodeToString(STORE.getCertificate("ca").getEncoded())
                    + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /// A client that trusts the authority.
    public static SSLContext client() {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", STORE.getCertificate("ca"));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    public static SSLContext server(Of identity) {
        try {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            Certificate[] chain = STORE.getCertificateChain(identity.name());
            own.setKeyEntry("own", STORE.getKey(identity.name(), PASSWORD), PASSWORD, chain);
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }
}
