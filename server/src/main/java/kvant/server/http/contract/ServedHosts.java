package kvant.server.http.contract;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The host names that a request may use. The owner of a domain can point it to this machine. Then a browser takes
/// the node for a part of that site (DNS rebinding), and the site reads and writes through every visitor of its
/// pages. IP addresses and `localhost` have no owner and are served; other names are served where the operator
/// lists them.
public final class ServedHosts {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?");
    private static final String LOCALHOST = "localhost";

    /// Null for all.
    private final @Nullable Set<String> names;

    private ServedHosts(@Nullable Set<String> names) {
        this.names = names;
    }

    /// Accepts every host name.
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

    /// Removes a final dot: the name with it is the same name in its absolute form.
    private static String withoutRoot(String host) {
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }
}
