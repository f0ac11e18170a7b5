package kvant.server.http.tls;

/// Figures of TLS at one moment.
///
/// @param succeeded handshakes that came to their end
/// @param failed those that did not
/// @param floods connections that were closed for records that held nothing
/// @param validUntilSeconds when the certificate of the node expires, in seconds since 1970; 0 without TLS
public record TlsFigures(long succeeded, long failed, long floods, long validUntilSeconds) {

    public static final TlsFigures NONE = new TlsFigures(0, 0, 0, 0);
}
