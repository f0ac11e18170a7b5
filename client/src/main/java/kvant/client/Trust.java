package kvant.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// The nodes that a client trusts over TLS. Host names are verified in any case.
public final class Trust {

    private Trust() {}

    /// Trusts nodes whose certificate is one of these, or signed by one of them, and no certificate that the JVM
    /// trusts.
    ///
    /// @param certificates file in PEM
    /// @throws UncheckedIOException where it cannot be read
    /// @throws IllegalArgumentException where it holds no certificates
    public static SSLContext only(Path certificates) {
        try (InputStream in = Files.newInputStream(certificates)) {
            Collection<? extends Certificate> trusted =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (trusted.isEmpty()) {
                throw new IllegalArgumentException(certificates + " holds no certificates in PEM");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (Certificate certificate : trusted) {
                store.setCertificateEntry("trusted-" + store.size(), certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the certificates in " + certificates, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(certificates + " holds no certificates in PEM: " + e.getMessage(), e);
        }
    }
}
