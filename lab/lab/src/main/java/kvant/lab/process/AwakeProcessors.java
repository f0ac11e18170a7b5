package kvant.lab.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Keeps idle processors polling instead of sleeping, on Linux: waking a thread then does not wait for the processor,
/// or for the host of a virtual one. This costs energy, but no time of other processes on this machine.
///
/// The kernel is asked for a wake-up latency of 0 us as long as the file is open ([PM
/// QoS](https://docs.kernel.org/power/pm_qos_interface.html)).
public final class AwakeProcessors implements AutoCloseable {

    private static final Path DEVICE = Path.of("/dev/cpu_dma_latency");

    /// Selects the idle states. Without a driver an idle processor sleeps immediately, regardless of the request.
    private static final Path DRIVER = Path.of("/sys/devices/system/cpu/cpuidle/current_driver");

    private final FileChannel channel;

    private AwakeProcessors(FileChannel channel) {
        this.channel = channel;
    }

    /// @throws IOException when the device does not exist, is not writable, or has no effect
    public static AwakeProcessors hold() throws IOException {
        return hold(DEVICE, DRIVER);
    }

    static AwakeProcessors hold(Path device, Path driver) throws IOException {
        if (!Files.exists(driver) || Files.readString(driver).strip().equals("none")) {
            throw new FileSystemException(driver.toString(), null, "the kernel has no driver of idle processors");
        }
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

    /// Lets the processors sleep again.
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
