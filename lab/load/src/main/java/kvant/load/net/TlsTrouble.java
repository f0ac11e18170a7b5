package kvant.load.net;

import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import org.jspecify.annotations.Nullable;

/// A readable one-line description of a TLS failure: the cause and the remedy.
final class TlsTrouble {

    static final String CLOSED_WITHIN = "the server closed the connection within the TLS handshake";
    static final String CUT_OFF = "the connection ended without a close_notify of TLS: its last answer may be cut off";

    private TlsTrouble() {}

    static String explain(Throwable failure, String host) {
        String last = "";
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            if (each instanceof CertificateExpiredException) {
                return "the certificate of " + host + " has expired (" + message + "); --insecure accepts it";
            }
            if (each instanceof CertificateNotYetValidException) {
                return "the certificate of " + host + " is not valid yet (" + message + "); --insecure accepts it";
            }
            if (message.contains("unable to find valid certification path")) {
                return "the certificate of " + host + " comes from no authority that is trusted here;"
                        + " --cacert FILE names one, --insecure accepts any";
            }
            if (each instanceof CertificateException && message.startsWith("No ")) {
                return "the certificate is not for " + host + " (" + message.replaceFirst("\\.$", "")
                        + "); --insecure accepts it";
            }
            if (message.matches("(?i).*unrecognized SSL message.*")) {
                return "the server does not speak TLS; http:// is without it";
            }
            if (message.contains("Received fatal alert: ")) {
                return "the server refused the TLS handshake: " + message.replaceFirst(".*Received fatal alert: ", "");
            }
            last = message;
        }
        return "the TLS handshake failed: " + last;
    }
}
