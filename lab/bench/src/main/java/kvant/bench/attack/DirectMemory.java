package kvant.bench.attack;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import kvant.text.UserException;

/// Asks a JVM of this machine how much its direct buffers take, past its HTTP side, which may be what an attack has
/// stopped. Belongs to one thread.
final class DirectMemory implements AutoCloseable {

    private final JMXConnector connector;
    private final ObjectName pool;

    private DirectMemory(JMXConnector connector, ObjectName pool) {
        this.connector = connector;
        this.pool = pool;
    }

    @SuppressWarnings("BanJNDI") // what it reads comes from a process that the caller started
    static DirectMemory of(long pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                JMXServiceURL url = new JMXServiceURL(machine.startLocalManagementAgent());
                return new DirectMemory(
                        JMXConnectorFactory.connect(url), new ObjectName("java.nio:type=BufferPool,name=direct"));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException | JMException e) {
            throw new UserException("cannot look into the JVM " + pid + ": " + e.getMessage(), e);
        }
    }

    long usedBytes() throws IOException {
        try {
            MBeanServerConnection beans = connector.getMBeanServerConnection();
            return (Long) beans.getAttribute(pool, "MemoryUsed");
        } catch (JMException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
