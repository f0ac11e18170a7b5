package kvant.cluster;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Options common to all servers of a cluster.
///
/// @param firstAddress last number of the first node's address
/// @param configuration lines appended to each cassandra.yaml
/// @param jvm additional JVM options of each server
/// @param libraries directory for the cached class path, which clusters may share; null for the cluster's own
public record ServerOptions(
        int firstAddress,
        String configuration,
        List<String> jvm,
        @Nullable Path libraries) {

    /// No additional options, addresses from 127.0.0.1 on.
    public static final ServerOptions DEFAULT = at(1);

    public ServerOptions {
        jvm = List.copyOf(jvm);
    }

    /// No additional options, other addresses.
    public static ServerOptions at(int firstAddress) {
        return new ServerOptions(firstAddress, "", List.of(), null);
    }
}
