package kvant.load.net;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// The certificates that a client accepts for `https`.
///
/// @param own the configured authorities, null for those of the JDK
/// @param checksNames whether a certificate must match the host of the URL
public record Trust(@Nullable SSLContext own, boolean checksNames) {

    /// The authorities of the JDK.
    public static Trust usual() {
        return new Trust(null, true);
    }

    public static Trust in(SSLContext authorities) {
        return new Trust(authorities, true);
    }

    /// Accepts any certificate of any server.
    public static Trust blind() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Blind()}, null);
            return new Trust(context, false);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no TLS in this JDK: " + e.getMessage(), e);
        }
    }

    /// With its own session cache or the process's, so that connections resume sessions of earlier ones.
    SSLContext context() {
        try {
            return own == null ? SSLContext.getDefault() : own;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no TLS in this JDK: " + e.getMessage(), e);
        }
    }

    /// The JDK adds a check of names around an ordinary trust manager.
    private static final class Blind extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
