package kvant.bench.attack;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import kvant.bench.process.Repeated;
import kvant.lab.run.ServedNode;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The peak memory of a node: resident memory, from the kernel, and direct buffers, from its JVM without using HTTP,
/// which the attack may have stopped. Sampled twice a second on a separate thread.
final class Vitals implements AutoCloseable {

    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmHWM:\\s*(\\d+) kB");
    private static final String DIRECT = "java.nio:type=BufferPool,name=direct";
    private static final long PERIOD_MILLIS = 500;
    private static final long KIB = 1024;

    // Constant.
    private final Path status;
    private final @Nullable JMXConnector jvm;
    private final Repeated looking;

    // Written by the thread.
    private volatile long residentBytes;
    private volatile long directBytes;

    private Vitals(ServedNode node, @Nullable JMXConnector jvm) {
        this.status = Path.of("/proc", Long.toString(node.pid()), "status");
        this.jvm = jvm;
        this.looking = Repeated.start("vitals", PERIOD_MILLIS, this::look);
    }

    /// @param looksInside whether the JVM is sampled too
    static Vitals start(ServedNode node, boolean looksInside) throws IOException {
        return new Vitals(node, looksInside ? connected(node.pid()) : null);
    }

    @SuppressWarnings("BanJNDI") // the data come from a process that we started
    private static JMXConnector connected(long pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new UserException("cannot look into the JVM " + pid + ": " + e.getMessage(), e);
        }
    }

    private void look() {
        try {
            Matcher resident = RESIDENT.matcher(Files.readString(status));
            residentBytes = resident.find() ? Long.parseLong(resident.group(1)) * KIB : residentBytes;
            if (jvm != null) {
                Object used = jvm.getMBeanServerConnection().getAttribute(new ObjectName(DIRECT), "MemoryUsed");
                directBytes = Math.max(directBytes, (Long) used);
            }
        } catch (IOException | JMException _) {
            // ended, or without a free descriptor for this
        }
    }

    /// 0 if the system does not report it.
    long residentBytes() {
        return residentBytes;
    }

    long directBytes() {
        return directBytes;
    }

    /// Stops sampling.
    void end() {
        looking.close();
        try {
            if (jvm != null) {
                jvm.close();
            }
        } catch (IOException _) {
            // the node has ended
        }
    }

    @Override
    public void close() {
        end();
    }
}
