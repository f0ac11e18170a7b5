package kvant.server.http.tls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What TLS is made of, all of it PEM.
///
/// @param certificates the node's own first, then those that lead to a root
/// @param key of the first certificate, PKCS#8 without a password
/// @param clientAuthorities whose certificates clients must have, or null where they need none
/// @param oldToo whether TLS 1.2 is spoken besides 1.3
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
