package kvant.server.http.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import kvant.server.access.GuardedFile;
import kvant.server.access.InvalidFileException;
import kvant.server.access.Reloaded;
import org.jspecify.annotations.Nullable;

/// The certificates, keys and settings for handshakes, built from one state of the files. Immutable.
public final class TlsContext {

    private static final String TLS_1_3 = "TLSv1.3";
    private static final String TLS_1_2 = "TLSv1.2";

    /// Cipher suites with forward secrecy and authenticated encryption; of TLS 1.2 these alone (RFC 9325, section
    /// 4.2).
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final ApplicationProtocolConfig HTTP_1_1 = new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.NO_ADVERTISE,
            SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_1_1);

    static {
        // TLS 1.2 lets a client ask for one handshake after the other on an open connection; 1.3 has no such thing.
        if (System.getProperty("jdk.tls.rejectClientInitiatedRenegotiation") == null) {
            System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        }
    }

    final SslContext context;
    final Instant validUntil; // expiry of the node's certificate

    private TlsContext(SslContext context, Instant validUntil) {
        this.context = context;
        this.validUntil = validUntil;
    }

    /// Loads a context from files, and reloads it when they change.
    public static Reloaded<TlsContext> reloaded(TlsFiles files, InstantSource clock) throws InvalidFileException {
        return Reloaded.of("certificates", files.all(), () -> load(files, clock));
    }

    /// @throws InvalidFileException when a file cannot be used
    public static TlsContext load(TlsFiles files, InstantSource clock) throws InvalidFileException {
        X509Certificate[] chain = PemFile.certificates(files.certificates(), clock.instant());
        PrivateKey key = PemFile.key(files.key(), chain[0], files.certificates());
        SslContextBuilder builder = SslContextBuilder.forServer(key, chain)
                .sslProvider(SslProvider.JDK) // docs/dev/decisions/0024
                .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(HTTP_1_1)
                .protocols(files.oldToo() ? new String[] {TLS_1_3, TLS_1_2} : new String[] {TLS_1_3});
        Path authorities = files.clientAuthorities();
        if (authorities != null) {
            builder.trustManager(PemFile.certificates(authorities, clock.instant()))
                    .clientAuth(ClientAuth.REQUIRE);
        }
        try {
            return new TlsContext(builder.build(), chain[0].getNotAfter().toInstant());
        } catch (SSLException | IllegalArgumentException e) {
            throw new InvalidFileException(
                    "the certificate in " + files.certificates() + " cannot be used for TLS: " + e.getMessage(), e);
        }
    }

    /// The files of the TLS setup, all of them PEM.
    ///
    /// @param certificates the node's own first, then the chain to a root
    /// @param key of the first certificate, PKCS#8 without a password
    /// @param clientAuthorities issuers of the required client certificates, or null where clients need none
    /// @param oldToo whether TLS 1.2 is accepted besides 1.3
    public record TlsFiles(
            Path certificates, Path key, @Nullable Path clientAuthorities, boolean oldToo) {

        List<Path> all() {
            List<Path> all = new ArrayList<>(List.of(certificates, key));
            if (clientAuthorities != null) {
                all.add(clientAuthorities);
            }
            return all;
        }
    }

    /// A reader of certificates and keys, with one-line errors that contain no part of a key.
    private static final class PemFile {

        private static final String CERTIFICATES = "certificate file";
        private static final String KEY = "key file";

        private static final Pattern PRIVATE_KEY = Pattern.compile(
                "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----", Pattern.MULTILINE);

        private PemFile() {}

        /// Reads one or more certificates; the first must be valid now.
        static X509Certificate[] certificates(Path file, Instant now) throws InvalidFileException {
            byte[] bytes = GuardedFile.read(CERTIFICATES, file);
            X509Certificate[] chain;
            try {
                chain = CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(bytes))
                        .toArray(X509Certificate[]::new);
            } catch (CertificateException e) {
                throw new InvalidFileException(CERTIFICATES + " " + file + " holds no certificates in PEM", e);
            }
            if (chain.length == 0) {
                throw new InvalidFileException(CERTIFICATES + " " + file + " holds no certificate");
            }
            Instant from = chain[0].getNotBefore().toInstant();
            Instant until = chain[0].getNotAfter().toInstant();
            if (now.isAfter(until)) {
                throw new InvalidFileException(CERTIFICATES + " " + file + ": the certificate expired at " + until);
            }
            if (now.isBefore(from)) {
                throw new InvalidFileException(
                        CERTIFICATES + " " + file + ": the certificate is not valid before " + from);
            }
            return chain;
        }

        /// The private key of a certificate.
        static PrivateKey key(Path file, X509Certificate certificate, Path certificateFile)
                throws InvalidFileException {
            String text = new String(GuardedFile.read(KEY, file), StandardCharsets.ISO_8859_1);
            Matcher found = PRIVATE_KEY.matcher(text);
            if (!found.find()) {
                throw new InvalidFileException(KEY + " " + file + obstacle(text));
            }
            PrivateKey key;
            PublicKey publicKey = certificate.getPublicKey();
            try {
                byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
                key = KeyFactory.getInstance(publicKey.getAlgorithm())
                        .generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (GeneralSecurityException | IllegalArgumentException _) { // its text may hold a part of the key
                throw new InvalidFileException(KEY + " " + file + " holds no key of the kind of the certificate in "
                        + certificateFile + " (" + publicKey.getAlgorithm() + ")");
            }
            if (!belong(key, publicKey)) {
                throw new InvalidFileException(
                        KEY + " " + file + " is not the key of the certificate in " + certificateFile);
            }
            return key;
        }

        private static String obstacle(String text) {
            if (text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")) {
                return " is encrypted: take the password off ('openssl pkey'), and keep the file from others by its"
                        + " mode";
            }
            if (List.of("RSA", "EC", "DSA").stream()
                    .anyMatch(kind -> text.contains("BEGIN " + kind + " PRIVATE KEY"))) {
                return " is not PKCS#8: convert it with 'openssl pkcs8 -topk8 -nocrypt'";
            }
            return " holds no private key in PEM";
        }

        private static boolean belong(PrivateKey key, PublicKey publicKey) throws InvalidFileException {
            String algorithm = switch (publicKey.getAlgorithm()) {
                case "RSA" -> "SHA256withRSA";
                case "EC" -> "SHA256withECDSA";
                default -> publicKey.getAlgorithm();
            };
            byte[] sample = "whose key is this?".getBytes(StandardCharsets.US_ASCII);
            try {
                Signature signature = Signature.getInstance(algorithm);
                signature.initSign(key);
                signature.update(sample);
                byte[] signed = signature.sign();
                signature.initVerify(publicKey);
                signature.update(sample);
                return signature.verify(signed);
            } catch (InvalidKeyException | SignatureException _) {
                return false;
            } catch (GeneralSecurityException e) {
                throw new InvalidFileException("keys of the kind " + publicKey.getAlgorithm() + " are not known", e);
            }
        }
    }
}
