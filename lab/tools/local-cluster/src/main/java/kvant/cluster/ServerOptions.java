package kvant.cluster;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the servers of a cluster get besides what each has.
///
/// @param firstAddress the last number of the first node's address
/// @param configuration lines for the end of each cassandra.yaml
/// @param jvm words for the JVM of each, behind those that every server has
/// @param libraries a directory where their class path is kept, which clusters may share; null for the cluster's own
public record ServerOptions(
        int firstAddress,
        String configuration,
        List<String> jvm,
        @Nullable Path libraries) {

    /// Nothing more, from 127.0.0.1 on.
    public static final ServerOptions DEFAULT = at(1);

    public ServerOptions {
        jvm = List.copyOf(jvm);
    }

    /// Nothing more than other addresses.
    public static ServerOptions at(int firstAddress) {
        return new ServerOptions(firstAddress, "", List.of(), null);
    }
}
