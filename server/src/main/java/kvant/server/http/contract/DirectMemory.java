package kvant.server.http.contract;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/// The memory outside of the heap that buffers may take.
///
/// The JVM bounds it (`-XX:MaxDirectMemorySize`, the size of the heap unless it is given), but whoever
/// asks for more than is left waits half a second for a collection of garbage, on an event loop as
/// anywhere. The bound of Netty fails at once. So Netty gets a lower one, and what lies between the two
/// is for those who write and read files.
public final class DirectMemory {

    private static final String NETTY_LIMIT = "io.netty.maxDirectMemory";

    /// What is not Netty's: the share of it.
    private static final int SHARE_OF_OTHERS = 4;

    private static final long JVM_BYTES = jvmBytes();

    private DirectMemory() {}

    /// What Netty may take.
    public static long maxBytes() {
        return JVM_BYTES - JVM_BYTES / SHARE_OF_OTHERS;
    }

    /// Bounds Netty; to be called before anything of Netty is used, and without effect where the command
    /// line of the JVM says something else.
    public static void bound() {
        if (System.getProperty(NETTY_LIMIT) == null) {
            System.setProperty(NETTY_LIMIT, Long.toString(maxBytes()));
        }
    }

    private static long jvmBytes() {
        HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long given = jvm == null
                ? 0
                : Long.parseLong(jvm.getVMOption("MaxDirectMemorySize").getValue());
        return given > 0 ? given : Runtime.getRuntime().maxMemory();
    }
}
