package kvant.load.loop;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import kvant.load.keys.SplitMix64;
import kvant.load.net.Addresses;
import kvant.load.net.Peer;
import kvant.load.net.Realtime;
import kvant.load.net.Sockets;
import kvant.load.net.Trust;
import kvant.load.plan.Arrivals;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.SlowestHeap;
import kvant.load.record.SlowestRequests;
import kvant.load.workload.RequestSource;
import kvant.load.workload.Workload;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The loops of one run, and their threads.
///
/// Belongs to the coordinating thread.
public final class LoopGroup {

    private static final int INBOX_BYTES = 64 << 10;
    private static final int LEAST_OUTBOX_BYTES = 64 << 10;

    /// Random streams of schedules are separate from those of requests.
    private static final long SCHEDULE_STREAMS = 1L << 32;

    /// Lead time of a change, so that no loop learns of it too late.
    private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Control control;
    private final List<LoopFigures> figures = new ArrayList<>();

    private final LoadPlan plan;
    private long connectsSeen;
    private long awaySince;
    private InetSocketAddress address = new InetSocketAddress(0);

    private LoopGroup(LoadPlan plan) {
        this.plan = plan;
        this.control = new Control(plan.clients().threads());
    }

    /// Starts the threads and waits until all connections are established.
    ///
    /// @param requests of each thread
    /// @throws UserException when the server cannot be reached, or the plan's realtime threads are not possible
    public static LoopGroup connect(LoadPlan plan, StopSwitch stop, IntFunction<? extends RequestSource> requests) {
        if (plan.isRealtime()) {
            requireRealtime(plan.clients().threads(), Runtime.getRuntime().availableProcessors());
        }
        LoopGroup group = new LoopGroup(plan);
        group.address = group.reachable(stop);
        @Nullable Trust trust = plan.target().isSecure() ? plan.trust() : null;
        Peer peer = new Peer(group.address, plan.target().name(), trust);
        int threads = plan.clients().threads();
        List<LoadLoop> loops = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            loops.add(group.loop(peer, thread, requests.apply(thread)));
        }
        for (int thread = 0; thread < threads; thread++) {
            Thread.ofPlatform().name("kvant-load-" + thread).daemon().start(loops.get(thread));
        }
        group.awaitConnected(stop);
        return group;
    }

    /// @throws UserException when realtime threads are not permitted, or would leave no processor for others
    private static void requireRealtime(int threads, int processors) {
        String obstacle = threads > 1 && threads >= processors
                ? threads + " threads on " + processors + " processors would leave none to the server"
                : Realtime.obstacle();
        if (!obstacle.isEmpty()) {
            throw new UserException("cannot send in real time: " + obstacle);
        }
    }

    private InetSocketAddress reachable(StopSwitch stop) {
        List<InetSocketAddress> all = plan.target().addresses();
        try {
            return Addresses.reachable(all, plan.clients().connectTimeout(), stop::isStopped);
        } catch (UserException e) {
            throw unreachable(e);
        }
    }

    private UserException unreachable(UserException why) {
        return new UserException("cannot connect to " + plan.target().authority() + ": " + why.getMessage());
    }

    private LoadLoop loop(Peer peer, int thread, RequestSource requests) {
        Clients clients = plan.clients();
        Pace pace = plan.pace();
        Workload workload = plan.workload();
        boolean bodiless = workload.plain() && workload.method().equals("HEAD");
        List<LoadConnection> connections = new ArrayList<>();
        for (int index = thread; index < clients.connections(); index += clients.threads()) {
            SplitMix64 random = SplitMix64.of(plan.seed(), SCHEDULE_STREAMS + index);
            Arrivals arrivals = new Arrivals(pace.law(), pace.rate(), clients.connections(), index, random);
            connections.add(new LoadConnection(
                    connections.size(),
                    clients.depth(),
                    plan.verify(),
                    arrivals,
                    workload.dialect().reader(bodiless)));
        }
        int outbox = Math.max(LEAST_OUTBOX_BYTES, requests.mostBytes());
        Sockets sockets = Sockets.open(clients.transport(), peer, connections.size(), INBOX_BYTES, outbox);
        SlowestHeap slow =
                plan.slowShare() > 0 ? new SlowestHeap(SlowestRequests.perLoop(clients.threads())) : SlowestHeap.NONE;
        LoopFigures own = new LoopFigures(pace.isClosed(), !workload.plain(), slow);
        figures.add(own);
        return new LoadLoop(control, own, sockets, requests, plan, connections);
    }

    private void awaitConnected(StopSwitch stop) {
        while (control.connected.getCount() > 0 && !stop.isStopped()) {
            stop.sleep(TimeUnit.MILLISECONDS.toNanos(2));
        }
        if (stop.isStopped()) {
            control.cancelled = true;
        }
        if (hasFailed()) {
            awaitEnd();
        }
    }

    /// Starts all loops at the same time.
    ///
    /// @return the start time
    public long start() {
        long at = System.nanoTime() + AHEAD_NANOS;
        control.startAt = at;
        return at;
    }

    /// Starts measuring requests that are due from this time on.
    public void measure(long from) {
        control.measureFrom = from;
    }

    /// Ends the schedule at `at`. Requests that were due earlier may take until `until`.
    public void end(long at, long until) {
        control.end(at, until);
    }

    /// Ends immediately.
    public void cancel() {
        control.cancelled = true;
    }

    /// True if a loop has failed; [#awaitEnd()] throws the cause.
    public boolean hasFailed() {
        return control.fault.get() != null;
    }

    public List<LoopFigures> figures() {
        return figures;
    }

    /// A time that no loop has passed yet.
    public static long soon() {
        return System.nanoTime() + AHEAD_NANOS;
    }

    /// The time during which no connection was open and none was established. A server that accepts and closes
    /// connections is not down.
    public long awayNanos() {
        long before = connectsSeen;
        connectsSeen = connects();
        if (openConnections() > 0 || connectsSeen > before || isFinished()) {
            awaySince = 0;
            return 0;
        }
        awaySince = awaySince == 0 ? System.nanoTime() : awaySince;
        return System.nanoTime() - awaySince;
    }

    /// True if no connection is open, and none was established since the last call of [#awayNanos()].
    public boolean isCutOff() {
        return openConnections() == 0 && connects() == connectsSeen && !isFinished();
    }

    private int openConnections() {
        return figures.stream().mapToInt(own -> own.openConnections).sum();
    }

    /// Number of established connections, including those lost since.
    private long connects() {
        return figures.stream().mapToLong(own -> own.connects).sum();
    }

    /// The measured address of the server, with its port.
    public String address() {
        return Addresses.text(address);
    }

    public String lastTrouble() {
        for (LoopFigures own : figures) {
            if (!own.lastTrouble.isEmpty()) {
                return own.lastTrouble;
            }
        }
        return "";
    }

    public boolean isFinished() {
        return control.finished.getCount() == 0;
    }

    /// Waits for all threads to end.
    ///
    /// @throws UserException when a loop failed
    public void awaitEnd() {
        boolean interrupted = false;
        while (control.finished.getCount() > 0) {
            try {
                control.finished.await();
            } catch (InterruptedException _) {
                interrupted = true;
                control.cancelled = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        @Nullable Throwable fault = control.fault.get();
        if (fault instanceof UserException known) {
            throw unreachable(known);
        }
        if (fault != null) {
            throw new IllegalStateException("a loop of the generator failed: " + fault, fault);
        }
    }
}
