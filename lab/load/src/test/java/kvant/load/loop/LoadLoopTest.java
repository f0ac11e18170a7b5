package kvant.load.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.load.http.ResponseParser;
import kvant.load.http.Target;
import kvant.load.keys.SplitMix64;
import kvant.load.net.Sockets;
import kvant.load.plan.Arrivals;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.Failure;
import kvant.load.record.SlowestHeap;
import kvant.load.truth.Scheduling;
import kvant.load.workload.RequestSource;
import kvant.load.workload.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// One loop against sockets of which no server could be as bad.
class LoadLoopTest {

    private static final boolean LINUX = Files.exists(Path.of("/proc/thread-self/stat"));

    /// One connection that stands at once, takes every request, and always has a full inbox.
    private static final class EndlessSockets extends Sockets {

        EndlessSockets() {
            super(1, 4096, 64 << 10);
            Arrays.fill(inbox, (byte) 'x');
            byte[] head = "HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999\r\n\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(head, 0, inbox, 0, head.length);
        }

        private final CountDownLatch reads = new CountDownLatch(100);
        private final AtomicInteger policy = new AtomicInteger(-1); // of the thread of the loop
        private boolean asked;

        @Override
        public boolean connect(int slot) {
            return true;
        }

        @Override
        public boolean finishConnect(int slot) {
            return true;
        }

        @Override
        public int localPort(int slot) {
            return 0;
        }

        @Override
        public int read(int slot) {
            if (asked) {
                reads.countDown();
            }
            return asked ? inbox.length : WOULD_BLOCK;
        }

        @Override
        public int write(int slot, int length) {
            asked = true;
            return length;
        }

        @Override
        public void wantWrite(int slot, boolean wanted) {}

        @Override
        public void close(int slot) {
            asked = false;
        }

        @Override
        public int await(long nanos) {
            if (policy.get() < 0 && LINUX) {
                policy.set(Scheduling.policy());
            }
            readyCount = 0;
            report(0, true, true);
            return readyCount;
        }

        @Override
        public void close() {}
    }

    @Test
    void aServerThatSendsWithoutEndDoesNotHoldTheLoop() throws InterruptedException {
        EndlessSockets sockets = new EndlessSockets();

        LoopFigures figures = ranWith(sockets, Clients.defaults().withConnections(1));

        assertThat(figures.lastTrouble).isEmpty();
        assertThat(figures.measured.counts().failedCount(Failure.UNANSWERED)).isEqualTo(1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aLoopRunsBeforeOtherThreadsWhereItIsAskedTo() throws InterruptedException {
        assumeThat(Scheduling.mayBeFifo()).isTrue();
        EndlessSockets ordinary = new EndlessSockets();
        EndlessSockets first = new EndlessSockets();
        Clients one = Clients.defaults().withConnections(1);

        ranWith(ordinary, one);
        ranWith(first, one.with(c -> c.realtime = true));

        LoadPlan closed = LoadPlan.of(
                Target.parse("http://h"),
                Workload.plain("GET"),
                one.with(c -> c.realtime = true),
                Pace.closed(Duration.ofHours(1)));
        assertThat(closed.isRealtime()).as("a closed loop").isFalse();
        assertThat(ordinary.policy).hasValue(Scheduling.ORDINARY);
        assertThat(first.policy).hasValue(Scheduling.FIFO);
    }

    /// Until it has read often enough.
    private static LoopFigures ranWith(EndlessSockets sockets, Clients clients) throws InterruptedException {
        Pace pace = Pace.open(100, Duration.ofHours(1));
        LoadPlan plan = LoadPlan.of(Target.parse("http://h"), Workload.plain("GET"), clients, pace);
        Arrivals arrivals = new Arrivals(pace.law(), pace.rate(), 1, 0, SplitMix64.of(1, 1));
        LoadConnection connection = new LoadConnection(0, 1, false, arrivals, new ResponseParser());
        LoopFigures figures = new LoopFigures(false, false, SlowestHeap.NONE);
        Control control = new Control(1);
        RequestSource requests = new RequestSource(plan.workload(), plan.encoder(), 0, 0, 1, 1);
        LoadLoop loop = new LoadLoop(control, figures, sockets, requests, plan, List.of(connection));
        control.measureFrom = Long.MIN_VALUE;
        control.startAt = System.nanoTime();
        Thread.ofPlatform().daemon().start(loop);
        assertThat(sockets.reads.await(30, TimeUnit.SECONDS))
                .as("the loop reads")
                .isTrue();
        long now = System.nanoTime();
        control.end(now, now);

        assertThat(control.finished.await(30, TimeUnit.SECONDS))
                .as("the loop ends")
                .isTrue();
        assertThat(control.fault.get()).isNull();
        return figures;
    }
}
