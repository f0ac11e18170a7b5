package kvant.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import kvant.lab.process.JfrEvents.Stretch;
import kvant.lab.result.SamplesRecord;
import kvant.lab.result.StepRecord.ProcessFigures;
import kvant.load.host.UserTime;
import kvant.load.record.RequestCounts.Count;
import kvant.load.run.RunResult;

/// Samples a process and its children once a second: processor time, memory, bytes read and written.
///
/// It has a sampling thread; other threads may add samples at any time.
public final class ProcessSampler implements AutoCloseable {

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_SAMPLES = 100_000;
    private static final long KIB = 1024;

    /// Minimum processor time per answer. Below that the command is not the server itself, and the server is no child
    /// of it: a client of a container service, or a server that has put itself into the background.
    private static final long LEAST_NANOS_OF_REQUEST = 200;

    /// Cumulative resource usage of a process and its children.
    ///
    /// @param nanos of `System.nanoTime`
    /// @param userNanos processor time in user mode; NaN if unknown
    public record Sample(
            long nanos, long cpuNanos, double userNanos, long rssBytes, long readBytes, long writtenBytes) {}

    // Constant.
    private final ProcessHandle process;
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);

    // Guarded by itself.
    private final List<Sample> samples = new ArrayList<>();

    private ProcessSampler(ProcessHandle process) {
        this.process = process;
        this.thread = Thread.ofPlatform().daemon().name("kvant-lab-sampler").unstarted(this::run);
    }

    public static ProcessSampler start(ProcessHandle process) {
        ProcessSampler sampler = new ProcessSampler(process);
        sampler.now();
        sampler.thread.start();
        return sampler;
    }

    private void run() {
        try {
            long next = System.nanoTime() + PERIOD_NANOS;
            while (!ended.await(next - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                now();
                next += PERIOD_NANOS;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Takes a sample. An ended process gives none.
    public void now() {
        synchronized (samples) {
            if (samples.size() >= MOST_SAMPLES || !process.isAlive()) {
                return;
            }
            samples.add(look(process));
        }
    }

    /// Usage of the process and its children so far; 0 if unknown.
    public static Sample look(ProcessHandle process) {
        long cpu = 0;
        double user = UserTime.ofProcess(process.pid());
        long rss = 0;
        long read = 0;
        long written = 0;
        for (ProcessHandle one :
                Stream.concat(Stream.of(process), process.descendants()).toList()) {
            Path proc = Path.of("/proc", Long.toString(one.pid()));
            cpu += one.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
            double own = one.pid() == process.pid() ? 0 : UserTime.ofProcess(one.pid());
            user += Double.isNaN(own) ? 0 : own; // a child that has just ended
            rss += number(proc.resolve("status"), "VmRSS:") * KIB;
            read += number(proc.resolve("io"), "read_bytes:");
            written += number(proc.resolve("io"), "write_bytes:");
        }
        return new Sample(System.nanoTime(), cpu, user, rss, read, written);
    }

    /// 0 if there is none, as on systems other than Linux.
    private static long number(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException | RuntimeException _) {
            return 0; // the process has just ended
        }
    }

    public List<Sample> samples() {
        synchronized (samples) {
            return List.copyOf(samples);
        }
    }

    /// Resource usage of a process in the measured time of a load, interpolated between samples.
    ///
    /// @param from start of the measured time, of `System.nanoTime`
    public static ProcessFigures figures(List<Sample> all, long pid, long from, RunResult result) {
        long elapsed = result.elapsedNanos();
        long planned = result.plan().pace().duration().toNanos();
        long answered = result.counts().of(Count.ANSWERED);
        long most = 0;
        for (Sample sample : all) {
            most = sample.nanos() >= from ? Math.max(most, sample.rssBytes()) : most; // a run may be short
        }
        long cpu = Math.max(0, cpuAt(all, from + elapsed) - cpuAt(all, from));
        // Up to the planned end, not up to the last answer, for comparison with the machine's figures.
        long timed = Math.min(elapsed, planned);
        double user = at(all, from + timed, Sample::userNanos) - at(all, from, Sample::userNanos);
        boolean serves = cpu >= LEAST_NANOS_OF_REQUEST * answered && !all.isEmpty();
        double processors = serves ? user / Math.max(1, timed) : Double.NaN;
        return new ProcessFigures(pid, cpu, most, answered, 0, 0, 0, processors, Map.of());
    }

    private static long cpuAt(List<Sample> all, long nanos) {
        return (long) at(all, nanos, Sample::cpuNanos);
    }

    private static double at(List<Sample> all, long nanos, ToDoubleFunction<Sample> figure) {
        if (all.isEmpty()) {
            return 0;
        }
        Sample before = all.getFirst();
        for (Sample sample : all) {
            if (sample.nanos() >= nanos) {
                double share = sample == before
                        ? 0
                        : (double) (nanos - before.nanos()) / Math.max(1, sample.nanos() - before.nanos());
                double first = figure.applyAsDouble(before);
                return first + Math.max(0, share) * (figure.applyAsDouble(sample) - first);
            }
            before = sample;
        }
        return figure.applyAsDouble(before);
    }

    /// The samples of the measured time, up to the first after its end. Processor time and bytes count from its start;
    /// for several stretches, from the start of the first.
    public List<SamplesRecord.Sample> during(List<Stretch> stretches) {
        List<Sample> all = samples();
        List<SamplesRecord.Sample> measured = new ArrayList<>();
        SamplesRecord.Sample last = new SamplesRecord.Sample(0, 0, 0, 0, 0);
        for (Stretch stretch : stretches) {
            long cpu = cpuAt(all, stretch.fromNanos());
            List<Sample> own = all.stream()
                    .filter(one -> one.nanos() >= stretch.fromNanos())
                    .toList();
            SamplesRecord.Sample before = last;
            long end = stretch.fromNanos() + stretch.nanos();
            for (int i = 0; i < own.size() && (i == 0 || own.get(i - 1).nanos() < end); i++) {
                Sample one = own.get(i);
                last = new SamplesRecord.Sample(
                        stretch.at() + one.nanos() - stretch.fromNanos(),
                        before.cpuNanos() + Math.max(0, one.cpuNanos() - cpu),
                        one.rssBytes(),
                        before.readBytes() + one.readBytes() - own.getFirst().readBytes(),
                        before.writtenBytes()
                                + one.writtenBytes()
                                - own.getFirst().writtenBytes());
                measured.add(last);
            }
        }
        return measured;
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
