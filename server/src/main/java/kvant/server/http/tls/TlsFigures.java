package kvant.server.http.tls;

/// A snapshot of the figures of TLS.
///
/// @param succeeded completed handshakes
/// @param failed failed handshakes
/// @param floods connections closed because of too many records without data
/// @param validUntilSeconds expiry of the node's certificate, in seconds since 1970; 0 without TLS
public record TlsFigures(long succeeded, long failed, long floods, long validUntilSeconds) {

    public static final TlsFigures NONE = new TlsFigures(0, 0, 0, 0);
}
