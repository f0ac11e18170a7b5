package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails a test class whose buffers were collected without having been released. Registered for every test
/// class.
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {

    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    /// Allocations that make a detector look at what was collected.
    private static final int PROBES = 64;

    static {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @Deprecated
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type, int interval, long maxActive) {
                return new Recorder<>(type, interval);
            }
        });
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        LEAKS.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        System.gc();
        for (int i = 0; i < PROBES; i++) {
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
        assertThat(LEAKS).as("buffers that were never released").isEmpty();
    }

    private static final class Recorder<T> extends ResourceLeakDetector<T> {

        Recorder(Class<T> type, int interval) {
            super(type, interval);
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            LEAKS.add(resourceType + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            LEAKS.add(resourceType);
        }
    }
}
