package kvant.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Certificates and keys, each signed by itself, made by the JDK's keytool once for all tests of a JVM.
public final class TestCertificates {

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final long LIMIT_SECONDS = 120;

    /// One that would like to be another part of a line.
    private static final String CLIENT_SUBJECT = "CN=one\\\" token=boss, O=Some Clients";

    /// A certificate and its key.
    public static final class Identity {

        private final KeyStore store;

        private Identity(KeyStore store) {
            this.store = store;
        }

        public String certificatePem() {
            try {
                return pem("CERTIFICATE", store.getCertificate("own").getEncoded());
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        public String keyPem() {
            try {
                Key key = store.getKey("own", PASSWORD);
                return pem("PRIVATE KEY", key.getEncoded());
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        public Certificate certificate() {
            try {
                return store.getCertificate("own");
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        /// The TLS context of a client that trusts this certificate alone.
        ///
        /// @param own what he shows, or nothing
        public SSLContext client(Identity... own) {
            try {
                KeyStore trusted = KeyStore.getInstance("PKCS12");
                trusted.load(null, null);
                trusted.setCertificateEntry("node", certificate());
                TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trust.init(trusted);
                KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                keys.init(own.length == 0 ? null : own[0].store, PASSWORD);
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(own.length == 0 ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
                return context;
            } catch (GeneralSecurityException | IOException e) {
                throw new AssertionError(e);
            }
        }

        private static String pem(String kind, byte[] encoded) {
            return "-----BEGIN " + kind + "-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded) + "\n-----END " + kind
                    + "-----\n";
        }
    }

    /// Of nodes; two of them, so that one can take the place of the other.
    public static final Identity NODE;

    public static final Identity RENEWED;
    public static final Identity RSA;
    public static final Identity CLIENT;
    public static final Identity EXPIRED;

    static {
        List<Made> made = new ArrayList<>();
        try {
            Path folder = Files.createTempDirectory("kvant-certificates");
            String ec = "-keyalg EC -groupname secp256r1 -validity 3650";
            for (String options : List.of(
                    ec, ec, "-keyalg RSA -keysize 2048 -validity 3650", ec, "-keyalg EC -startdate -10d -validity 5")) {
                String subject = made.size() == 3 ? CLIENT_SUBJECT : "CN=localhost";
                made.add(Made.begin(folder.resolve(made.size() + ".p12"), subject, options));
            }
            NODE = made.get(0).end();
            RENEWED = made.get(1).end();
            RSA = made.get(2).end();
            CLIENT = made.get(3).end();
            EXPIRED = made.get(4).end();
            Files.delete(folder);
        } catch (IOException | InterruptedException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private TestCertificates() {}

    /// A key store that is being made.
    private record Made(Path file, Process keytool) {

        static Made begin(Path file, String subject, String options) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "own",
                    "-dname",
                    subject,
                    "-ext",
                    "san=ip:127.0.0.1,dns:localhost",
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    new String(PASSWORD),
                    "-keystore",
                    file.toString()));
            command.addAll(List.of(options.split(" ")));
            return new Made(
                    file,
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start());
        }

        Identity end() throws IOException, InterruptedException, GeneralSecurityException {
            if (!keytool.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                throw new AssertionError("keytool made no " + file);
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(Files.readAllBytes(file)), PASSWORD);
            Files.delete(file);
            return new Identity(store);
        }
    }
}
