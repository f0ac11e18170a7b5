package kvant.bench.cluster;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.bench.figures.Ratio;
import kvant.bench.process.Generator;
import kvant.bench.process.Measured;
import kvant.bench.process.Node;
import kvant.load.plan.LoadPlan;
import kvant.load.record.Window;

/// One fault of the cluster under a constant load, with witnesses beside it.
///
/// Owned by the thread of the benchmark. Times are in seconds from the begin of the load.
final class Drill {

    /// What happens to the cluster; calls [Drill#mark], and [Drill#fault] at the fault itself.
    interface Fault {
        void run(Drill drill) throws IOException, InterruptedException;
    }

    /// What was done, and when.
    record Mark(double seconds, String text) {}

    /// What clients saw.
    ///
    /// @param failures of witnesses, rising
    /// @param faultAt when the fault was
    /// @param upAt when all servers took clients again, 0 where that is not of interest
    record Outcome(
            String name,
            Measured load,
            List<Mark> marks,
            double faultAt,
            double upAt,
            int acknowledged,
            long lost,
            List<Double> failures) {

        List<Window> windows() {
            return load.result().totals().windows();
        }

        private static double from(Window window) {
            return window.fromNanos() / NANOS;
        }

        /// Of the load, in the windows that begin from then on.
        long failedSince(double seconds) {
            return windows().stream()
                    .filter(one -> from(one) >= seconds)
                    .mapToLong(Window::errors)
                    .sum();
        }

        /// Seconds from then until no request fails any more.
        double recoveredAfter(double since) {
            Stream<Double> ofLoad =
                    windows().stream().filter(one -> one.errors() > 0).map(one -> from(one) + 1);
            return Stream.concat(ofLoad, failures.stream())
                    .filter(at -> at > since)
                    .mapToDouble(at -> at - since)
                    .max()
                    .orElse(0);
        }

        /// The median of the seconds before the fault, without the first two.
        double calmP99Millis() {
            List<Double> calm = windows().stream()
                    .filter(one -> one.completed() > 0 && from(one) >= 2 && from(one) < faultAt - 1)
                    .map(one -> one.p99Nanos() / 1e6)
                    .toList();
            return calm.isEmpty() ? Double.NaN : Ratio.median(calm);
        }

        double worstP99MillisSince(double seconds) {
            return windows().stream()
                    .filter(one -> one.completed() > 0 && from(one) >= seconds)
                    .mapToDouble(one -> one.p99Nanos() / 1e6)
                    .max()
                    .orElse(Double.NaN);
        }

        double longestMillis() {
            return windows().stream()
                    .mapToDouble(one -> one.maxNanos() / 1e6)
                    .max()
                    .orElse(0);
        }
    }

    private static final double NANOS = 1e9;

    /// Until all threads of the load send; the exact time comes from its result.
    private static final long START_MILLIS = 200;

    private final String name;
    private final long epoch = System.nanoTime();
    private final List<Mark> marks = new ArrayList<>();
    private double faultAt;
    private double upAt;

    private Drill(String name) {
        this.name = name;
    }

    /// Runs a load, and a fault beside it.
    ///
    /// @param witnesses how many
    static Outcome run(String name, Node gateway, LoadPlan plan, int witnesses, Fault fault)
            throws IOException, InterruptedException {
        System.err.println(name);
        Instant began = Instant.now();
        Drill drill = new Drill(name);
        Generator.Beside load = Generator.begin(plan);
        Thread.sleep(START_MILLIS);
        List<Witness> watching = new ArrayList<>();
        for (int i = 0; i < witnesses; i++) {
            watching.add(Witness.start(name.replace(' ', '-') + "-" + i, gateway.url(), drill.epoch));
        }
        fault.run(drill);
        Measured measured = load.await();
        for (Witness witness : watching) {
            witness.end();
        }
        return drill.outcome(measured, began, watching);
    }

    /// Takes all times to the begin of the load.
    private Outcome outcome(Measured load, Instant began, List<Witness> watching) throws InterruptedException {
        double late = Duration.between(began, load.result().startedAt()).toNanos() / NANOS;
        long lost = 0;
        for (Witness witness : watching) {
            lost += witness.lost();
        }
        return new Outcome(
                name,
                load,
                marks.stream()
                        .map(mark -> new Mark(mark.seconds() - late, mark.text()))
                        .toList(),
                faultAt - late,
                upAt - late,
                watching.stream().mapToInt(Witness::acknowledged).sum(),
                lost,
                watching.stream()
                        .flatMap(witness -> witness.failedNanos().stream())
                        .map(nanos -> nanos / NANOS - late)
                        .sorted()
                        .toList());
    }

    private double now() {
        return (System.nanoTime() - epoch) / NANOS;
    }

    void mark(String text) {
        System.err.printf(Locale.ROOT, "  %5.1f s: %s%n", now(), text);
        marks.add(new Mark(now(), text));
    }

    /// The fault comes now.
    void fault(String text) {
        faultAt = now();
        mark(text);
    }

    /// All servers take clients again.
    void up() {
        upAt = now();
        mark("up");
    }

    void sleepUntil(double seconds) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep((long) ((seconds - now()) * NANOS)); // a negative time is none
    }
}
