package kvant.server.http.contract;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which hosts a request may name. Whoever owns a name can have it resolve to this machine, and then a browser takes
/// the node for a part of his site (DNS rebinding): he reads and writes through anybody who looks at his page. An IP
/// address and `localhost` are nobody's name; others are served where the operator lists them.
public final class ServedHosts {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?");
    private static final String LOCALHOST = "localhost";

    /// Null for all.
    private final @Nullable Set<String> names;

    private ServedHosts(@Nullable Set<String> names) {
        this.names = names;
    }

    /// Every host, whatever its name.
    public static ServedHosts all() {
        return new ServedHosts(null);
    }

    /// IP addresses, `localhost`, and these names.
    ///
    /// @throws IllegalArgumentException when one of them is no name of a host
    public static ServedHosts named(Collection<String> names) {
        Set<String> served = new HashSet<>();
        served.add(LOCALHOST);
        for (String name : names) {
            if (!isName(name)) {
                throw new IllegalArgumentException(
                        "an allowed host is a name without a port, a wildcard or blanks, not '" + name + "'");
            }
            served.add(name.toLowerCase(Locale.ROOT));
        }
        return new ServedHosts(served);
    }

    /// Whether this may be the name of a host, or an address of IPv4.
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    public boolean serves(Authority authority) {
        return names == null || authority.isAddress() || names.contains(withoutRoot(authority.host()));
    }

    /// A name that ends with a dot is the same name, told in full.
    private static String withoutRoot(String host) {
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }
}
