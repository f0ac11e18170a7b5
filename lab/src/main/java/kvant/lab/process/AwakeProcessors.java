package kvant.lab.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Idle processors that look for work instead of sleeping, on Linux: whoever wakes a thread need not wait for the
/// processor, or for the host of a virtual one. That takes energy, and no time of other processes.
///
/// The kernel is asked for a wake-up latency of 0 us, for as long as the file is open
/// ([PM QoS](https://docs.kernel.org/power/pm_qos_interface.html)).
public final class AwakeProcessors implements AutoCloseable {

    private static final Path DEVICE = Path.of("/dev/cpu_dma_latency");

    private final FileChannel channel;

    private AwakeProcessors(FileChannel channel) {
        this.channel = channel;
    }

    /// @throws IOException where there is no such device, or this process may not write to it
    public static AwakeProcessors hold() throws IOException {
        return hold(DEVICE);
    }

    static AwakeProcessors hold(Path device) throws IOException {
        FileChannel channel = FileChannel.open(device, StandardOpenOption.WRITE);
        boolean asked = false;
        try {
            channel.write(ByteBuffer.allocate(Integer.BYTES)); // microseconds
            asked = true;
            return new AwakeProcessors(channel);
        } finally {
            if (!asked) {
                channel.close();
            }
        }
    }

    /// They may sleep again.
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
