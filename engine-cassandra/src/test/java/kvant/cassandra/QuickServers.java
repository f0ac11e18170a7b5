package kvant.cassandra;

import java.nio.file.Path;
import java.util.List;
import kvant.cluster.ServerOptions;

/// Settings for the servers of these tests, which live for minutes, on two cores, and whose acknowledged writes need
/// survive only the end of a process, not that of the machine.
final class QuickServers {

    private static final List<String> JVM = List.of(
            "-XX:TieredStopAtLevel=1",
            "-Dcassandra.skip_sync=true",
            "-Dorg.apache.cassandra.disable_mbean_registration=true");

    private static final Path LIBRARIES = Path.of("target", "server-libraries").toAbsolutePath();

    private QuickServers() {}

    /// @param firstAddress the last number of the first node's address
    /// @param configuration lines for the cassandra.yaml of each node
    static ServerOptions at(int firstAddress, String configuration) {
        return new ServerOptions(firstAddress, configuration, JVM, LIBRARIES);
    }
}
