package kvant.lab.load;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import kvant.lab.LabException;
import kvant.lab.http.ResponseParser;
import kvant.lab.keys.Dice;
import kvant.lab.net.Sockets;
import kvant.lab.record.SlowKeeper;
import kvant.lab.record.Slowest;
import kvant.lab.schedule.Arrivals;
import org.jspecify.annotations.Nullable;

/// The loops of one run and their threads.
///
/// Owned by the thread that coordinates.
final class LoopCrew {

    private static final int INBOX_BYTES = 64 << 10;
    private static final int LEAST_OUTBOX_BYTES = 64 << 10;

    /// Streams of random numbers for schedules are apart from those for requests.
    private static final long SCHEDULE_STREAMS = 1L << 32;

    /// Between the decision that something begins and its time, so that no loop hears of it late.
    private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    final Control control;
    final List<LoopFigures> figures = new ArrayList<>();

    private final LoadPlan plan;

    private LoopCrew(LoadPlan plan) {
        this.plan = plan;
        this.control = new Control(plan.clients().threads());
    }

    /// Starts the threads and waits until all connections stand.
    ///
    /// @param requests of each thread
    /// @throws LabException where the server cannot be reached
    static LoopCrew connect(LoadPlan plan, StopSwitch stop, IntFunction<Requests> requests) {
        LoopCrew crew = new LoopCrew(plan);
        InetSocketAddress address = plan.target().address();
        int threads = plan.clients().threads();
        List<LoadLoop> loops = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            loops.add(crew.loop(address, thread, requests.apply(thread)));
        }
        for (int thread = 0; thread < threads; thread++) {
            Thread.ofPlatform().name("kvant-load-" + thread).daemon().start(loops.get(thread));
        }
        crew.awaitConnected(stop);
        return crew;
    }

    private LoadLoop loop(InetSocketAddress address, int thread, Requests requests) {
        Clients clients = plan.clients();
        Pace pace = plan.pace();
        boolean bodiless = plan.workload().plain() && plan.workload().method().equals("HEAD");
        List<LoadConnection> connections = new ArrayList<>();
        for (int index = thread; index < clients.connections(); index += clients.threads()) {
            Dice dice = Dice.of(plan.seed(), SCHEDULE_STREAMS + index);
            Arrivals arrivals = new Arrivals(pace.law(), pace.rate(), clients.connections(), index, dice);
            connections.add(new LoadConnection(
                    connections.size(), clients.depth(), plan.verify(), arrivals, new ResponseParser(bodiless)));
        }
        int outbox = Math.max(LEAST_OUTBOX_BYTES, requests.mostBytes());
        Sockets sockets = Sockets.open(clients.transport(), address, connections.size(), INBOX_BYTES, outbox);
        SlowKeeper slow = plan.slowShare() > 0 ? new SlowKeeper(Slowest.perLoop(clients.threads())) : SlowKeeper.NONE;
        LoopFigures own = new LoopFigures(pace.isClosed(), !plan.workload().plain(), slow);
        figures.add(own);
        return new LoadLoop(control, own, sockets, requests, plan, connections);
    }

    private void awaitConnected(StopSwitch stop) {
        while (control.connected.getCount() > 0 && !stop.isStopped()) {
            stop.sleep(TimeUnit.MILLISECONDS.toNanos(2));
        }
        if (stop.isStopped()) {
            control.cancel();
        }
        if (control.fault() != null) {
            awaitEnd();
        }
    }

    /// Lets all loops begin together.
    ///
    /// @return when
    long start() {
        long at = System.nanoTime() + AHEAD_NANOS;
        control.start(at);
        return at;
    }

    /// A moment that no loop has passed.
    static long soon() {
        return System.nanoTime() + AHEAD_NANOS;
    }

    int openConnections() {
        int open = 0;
        for (LoopFigures own : figures) {
            open += own.openConnections;
        }
        return open;
    }

    String lastTrouble() {
        for (LoopFigures own : figures) {
            if (!own.lastTrouble.isEmpty()) {
                return own.lastTrouble;
            }
        }
        return "";
    }

    boolean isFinished() {
        return control.finished.getCount() == 0;
    }

    /// Waits for all threads to end.
    ///
    /// @throws LabException where one had to give up
    void awaitEnd() {
        boolean interrupted = false;
        while (control.finished.getCount() > 0) {
            try {
                control.finished.await();
            } catch (InterruptedException _) {
                interrupted = true;
                control.cancel();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        @Nullable Throwable fault = control.fault();
        if (fault instanceof LabException known) {
            throw new LabException("cannot connect to " + plan.target().authority() + ": " + known.getMessage());
        }
        if (fault != null) {
            throw new IllegalStateException("a loop of the generator failed: " + fault, fault);
        }
    }
}
