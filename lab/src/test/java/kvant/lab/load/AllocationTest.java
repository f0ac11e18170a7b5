package kvant.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import kvant.lab.http.Target;
import kvant.lab.net.Sockets;
import kvant.lab.truth.TestServer;
import kvant.lab.workload.Workload;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/// A run of an hour takes no more memory than one of a minute, because a request leaves nothing behind.
class AllocationTest {

    private static final long FEW_BYTES_PER_REQUEST = 16;

    @Test
    void aRequestAllocatesNothing() throws Exception {
        try (TestServer server = TestServer.start(exchange -> exchange.answer(200, new byte[100]))) {
            Clients clients = Clients.defaults().withConnections(8).withTransport(Sockets.Kind.AUTO);
            Pace pace = Pace.open(3000, Duration.ofSeconds(3)).withWindow(Duration.ofMillis(500));
            Meter meter = new Meter();
            LoadPlan plan =
                    LoadPlan.of(Target.parse(server.url()), Workload.named("a").withKeys(1000), clients, pace);
            RunResult result = LoadRun.run(plan, new StopSwitch(), meter);

            long requests = meter.lastRequests.get() - meter.firstRequests.get();
            long bytes = meter.lastBytes.get() - meter.firstBytes.get();
            assertThat(result.tally().errors()).isZero();
            assertThat(requests).isGreaterThan(2000);
            assertThat((double) bytes / requests).as("bytes per request").isLessThan(FEW_BYTES_PER_REQUEST);
        }
    }

    /// Reads what the loop has allocated, from the second window on.
    private static final class Meter implements Progress {

        final AtomicLong firstBytes = new AtomicLong(-1);
        final AtomicLong firstRequests = new AtomicLong();
        final AtomicLong lastBytes = new AtomicLong();
        final AtomicLong lastRequests = new AtomicLong();
        private long requests;

        @Override
        public void interval(Histogram response, long fromNanos, long lengthNanos) {
            requests += response.getTotalCount();
            long bytes = allocated();
            if (bytes < 0) {
                return; // the loop has ended
            }
            if (fromNanos > Duration.ofSeconds(1).toNanos() && firstBytes.compareAndSet(-1, bytes)) {
                firstRequests.set(requests);
            }
            lastBytes.set(bytes);
            lastRequests.set(requests);
        }

        private static long allocated() {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().equals("kvant-load-0")) {
                    return threads.getThreadAllocatedBytes(thread.threadId());
                }
            }
            return -1;
        }
    }
}
