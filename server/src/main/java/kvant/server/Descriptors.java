package kvant.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import kvant.server.http.contract.HttpLimits;

/// The file descriptors of the process: connections take no more than the engine can spare.
final class Descriptors {

    private static final Logger LOGGER = System.getLogger(Descriptors.class.getName());

    /// What is kept for files that the engine has yet to open: a part of all descriptors, within bounds.
    private static final int SHARE_OF_FILES = 4;

    private static final long MOST_FOR_FILES = 512;

    private Descriptors() {}

    /// These limits with no more connections than there are descriptors for; says so where that is less.
    ///
    /// To be asked when the engine is open.
    static HttpLimits bound(HttpLimits limits) {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean process)) {
            return limits; // not told by this system
        }
        long most = process.getMaxFileDescriptorCount();
        int connections = connections(most, process.getOpenFileDescriptorCount());
        if (most <= 0 || connections >= limits.maxConnections()) {
            return limits;
        }
        LOGGER.log(
                Level.WARNING,
                "at most " + connections + " connections instead of " + limits.maxConnections()
                        + ", because the process may open " + most + " files: raise 'ulimit -n'");
        return limits.with(l -> l.maxConnections = connections);
    }

    /// @param most how many descriptors the process may have
    /// @param open how many it has before its first connection
    static int connections(long most, long open) {
        long files = Math.min(MOST_FOR_FILES, most / SHARE_OF_FILES);
        return Math.clamp(most - open - files, 1, Integer.MAX_VALUE);
    }
}
