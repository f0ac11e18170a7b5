package kvant.server.http.tls;

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
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.server.access.GuardedFile;
import kvant.server.access.InvalidFileException;

/// A reader of certificates and keys, with one-line errors that contain no part of a key.
final class PemFile {

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
            throw new InvalidFileException(CERTIFICATES + " " + file + ": the certificate is not valid before " + from);
        }
        return chain;
    }

    /// The private key of a certificate.
    static PrivateKey key(Path file, X509Certificate certificate, Path certificateFile) throws InvalidFileException {
        String text = new String(GuardedFile.read(KEY, file), StandardCharsets.ISO_8859_1);
        Matcher found = PRIVATE_KEY.matcher(text);
        if (!found.find()) {
            throw new InvalidFileException(KEY + " " + file + obstacle(text));
        }
        PrivateKey key;
        PublicKey publicKey = certificate.getPublicKey();
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
            key = KeyFactory.getInstance(publicKey.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(encoded));
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
            return " is encrypted: take the password off ('openssl pkey'), and keep the file from others by its mode";
        }
        if (List.of("RSA", "EC", "DSA").stream().anyMatch(kind -> text.contains("BEGIN " + kind + " PRIVATE KEY"))) {
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
