package kvant.bench.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import kvant.bench.process.Programs;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// A certificate for the servers of one run, which has signed itself, and its key: both on P-256, as PEM.
record Certificate(Path certificate, Path key) {

    private static final long LIMIT_SECONDS = 30;

    /// @throws UserException where OpenSSL's program is not installed
    static Certificate make(Path folder) throws IOException, InterruptedException {
        @Nullable Path openssl = Programs.find("openssl");
        if (openssl == null) {
            throw new UserException("--tls needs a certificate: install openssl (apt-get install openssl)");
        }
        Path certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        String options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
                + " -addext subjectAltName=IP:127.0.0.1";
        List<String> command = new ArrayList<>(List.of(openssl.toString()));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("-out", certificate.toString(), "-keyout", key.toString()));
        Programs.output(command, LIMIT_SECONDS);
        return new Certificate(certificate, key);
    }

    /// For a client that trusts nothing else.
    SSLContext trusted() throws IOException {
        try (InputStream pem = Files.newInputStream(certificate)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(pem));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate of this run cannot be used: " + e.getMessage(), e);
        }
    }

    /// What `kvant serve` is told.
    List<String> options() {
        return List.of("--tls-cert", certificate.toString(), "--tls-key", key.toString());
    }
}
