package kvant.bench.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.HttpsURLConnection;
import kvant.lab.process.ProgramPath;
import kvant.lab.process.Programs;
import kvant.load.net.Trust;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// A self-signed certificate for the servers of one run, and its key: both on P-256, as PEM.
record Certificate(Path certificate, Path key) {

    /// Creates a certificate. From then on this process polls servers for readiness without verifying certificates.
    ///
    /// @throws UserException when the OpenSSL program is not installed
    static Certificate make(Path folder) throws IOException {
        @Nullable Path openssl = ProgramPath.find("openssl");
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
        Programs.run(command);
        HttpsURLConnection.setDefaultSSLSocketFactory(
                Objects.requireNonNull(Trust.blind().own()).getSocketFactory());
        return new Certificate(certificate, key);
    }

    /// Options for `kvant serve`.
    List<String> options() {
        return List.of("--tls-cert", certificate.toString(), "--tls-key", key.toString());
    }
}
