package kvant.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.load.net.Sockets;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.truth.TestServer;
import kvant.load.workload.Workload;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A run of an hour takes no more memory than one of a minute, because a request leaves nothing behind.
@Tag("alone") // with all of the compiler
class AllocationTest {

    private static final double FEW_BYTES_PER_REQUEST = 16;
    private static final int CONNECTIONS = 8;
    private static final long LEAST_REQUESTS = 500;

    /// For the compiler to be done on a machine that has much else to do.
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(40);

    @Test
    void aRequestAllocatesNothing() throws Exception {
        try (TestServer server = TestServer.start(exchange -> exchange.answer(200, new byte[100]))) {
            Clients clients =
                    Clients.defaults().withConnections(CONNECTIONS).with(c -> c.transport = Sockets.Kind.AUTO);
            Pace pace = Pace.closed(LONG_ENOUGH).with(p -> p.window = Duration.ofMillis(250));
            StopSwitch stop = new StopSwitch();
            Meter meter = new Meter(stop);
            LoadPlan plan = LoadPlan.of(
                    Target.parse(server.url()), Workload.named("a").with(w -> w.keys = 1000), clients, pace);
            RunResult result = LoadRun.run(plan, stop, meter);

            assertThat(result.counts().errors()).isLessThanOrEqualTo(CONNECTIONS); // on their way when it ended
            assertThat(meter.leastPerRequest).as("bytes per request").isLessThan(FEW_BYTES_PER_REQUEST);
        }
    }

    /// Allocations of the loop per request, in the best window: before the compiler is done with a method, calls of
    /// native code allocate, and so the first windows say nothing. Allocations of every request are in every
    /// window, and one that is good enough ends the run.
    private static final class Meter implements Progress {

        double leastPerRequest = Double.MAX_VALUE;
        private final StopSwitch stop;
        private long bytesBefore = -1;

        Meter(StopSwitch stop) {
            this.stop = stop;
        }

        @Override
        public void interval(Histogram response, long fromNanos, long lengthNanos) {
            long bytes = allocated();
            long requests = response.getTotalCount();
            if (bytesBefore >= 0 && bytes >= 0 && requests >= LEAST_REQUESTS) {
                leastPerRequest = Math.min(leastPerRequest, (double) (bytes - bytesBefore) / requests);
                if (leastPerRequest < FEW_BYTES_PER_REQUEST) {
                    stop.stop();
                }
            }
            bytesBefore = bytes;
        }

        /// Of the loop, or -1 where it has ended.
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
