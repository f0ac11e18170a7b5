package kvant.lab.profile;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import kvant.lab.profile.ProfilePlan.ProfileEvent;
import kvant.lab.result.ProfileRecord.ThreadShare;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import one.convert.Arguments;
import one.convert.Filter;
import one.convert.JfrToFlame;
import one.jfr.JfrReader;
import one.jfr.event.Event;
import one.jfr.event.EventAggregator;
import one.jfr.event.EventCollector;
import org.jspecify.annotations.Nullable;

/// Converts the samples of a recording to collapsed stacks, and counts them by thread.
final class SampleConverter extends JfrToFlame {

    /// The profiler's name for the thread state of a CPU sample. The JVM's own recorder, which may have written to the
    /// same file, has no such state.
    private static final String OWN_STATE = "STATE_DEFAULT";

    /// Separators of frames and lines in a collapsed file.
    private static final Pattern SEPARATOR = Pattern.compile("[;\\p{Cntrl}]");

    private static final Pattern THREAD_NUMBER = Pattern.compile("^\\[(.+) tid=\\d+]$");

    /// A library unpacked under a random name, as by Netty, and without symbol names.
    private static final Pattern UNPACKED_LIBRARY = Pattern.compile("^/.*?([^/]*?)\\d{10,}\\.so( \\(deleted\\))?$");

    /// The data of one event in a recording, besides its stacks.
    ///
    /// @param count of samples
    /// @param weights of all samples of each thread, by its name
    /// @param cpuEngine source of CPU samples, as recorded by the profiler
    /// @param version of the profiler
    record Samples(long count, Map<String, Long> weights, String cpuEngine, String version) {

        /// The source of an event's samples. For CPU time it depends on permissions, and the profiler records it.
        String engine(ProfileEvent event) {
            return switch (event) {
                case CPU -> cpuEngine;
                case ALLOC -> "jvmti_sampler";
                case LOCK -> "jvmti_contention";
                case WALL -> "wall_clock";
            };
        }

        List<ThreadShare> threadShares(int most) {
            double all = weights.values().stream().mapToLong(Long::longValue).sum();
            return weights.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(most)
                    .map(entry -> new ThreadShare(entry.getKey(), entry.getValue() / all))
                    .toList();
        }
    }

    private final Weighing weighing;
    private final Map<String, Long> weights = new HashMap<>();

    private SampleConverter(JfrReader reader, Arguments arguments, boolean weighed, @Nullable SlowWindows windows) {
        super(reader, arguments);
        weighing = (Weighing) collector; // created by createCollector, called by the constructor above
        weighing.jfr = reader;
        weighing.weighed = weighed;
        weighing.windows = windows;
    }

    /// @param threads whether a stack begins with its thread
    /// @param windows periods in which samples count; null for always
    /// @throws UserException if the recording is not from this profiler, or the file cannot be written
    static Samples convert(
            Path jfr, ProfileEvent event, boolean threads, @Nullable SlowWindows windows, Path collapsed) {
        try (JfrReader reader = open(jfr)) {
            SampleConverter converter =
                    new SampleConverter(reader, arguments(event, threads), event.isWeighed(), windows);
            converter.read(jfr);
            if (windows != null && !"monotonic".equals(reader.settings.get("clock"))) {
                throw new UserException(jfr + " has no times to compare with requests: it was not recorded"
                        + " with the clock 'monotonic'");
            }
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(collapsed))) {
                converter.dump(out);
            }
            return new Samples(
                    converter.weighing.count,
                    converter.weights,
                    reader.settings.getOrDefault("engine", "unknown"),
                    reader.settings.getOrDefault("version", "unknown"));
        } catch (IOException e) {
            throw new UserException("cannot make a profile of " + jfr + ": " + FileTrouble.reading(e), e);
        }
    }

    private static JfrReader open(Path jfr) throws IOException {
        try {
            return new JfrReader(jfr.toString());
        } catch (RuntimeException e) { // the reader trusts its input
            throw damaged(jfr, e);
        }
    }

    private void read(Path jfr) throws IOException {
        try {
            convert();
        } catch (RuntimeException e) {
            throw damaged(jfr, e);
        }
        if (!this.jfr.settings.containsKey("engine")) {
            throw new UserException(
                    "cannot make a profile of " + jfr + ": it is no recording of the profiler, or" + " was not ended");
        }
    }

    private static UserException damaged(Path jfr, RuntimeException cause) {
        return new UserException("cannot make a profile of " + jfr + ": it is damaged, or was not ended", cause);
    }

    private static Arguments arguments(ProfileEvent event, boolean threads) {
        Arguments arguments = new Arguments("--" + event.label(), "--norm", "--output", "collapsed");
        arguments.threads = threads;
        arguments.total = event.isWeighed();
        return arguments;
    }

    @Override
    protected EventCollector createCollector(Arguments args) {
        return new Weighing((EventAggregator) super.createCollector(args));
    }

    @Override
    protected void collectEvents(Filter filter) throws IOException {
        if (isOwn(jfr)) {
            super.collectEvents(filter);
        } else {
            while (jfr.readEvent() != null) {
                // another recorder's chunk
            }
        }
    }

    /// True if the current chunk was written by the profiler.
    static boolean isOwn(JfrReader reader) {
        return reader.enums.getOrDefault("jdk.types.ThreadState", Map.of()).containsValue(OWN_STATE);
    }

    @Override
    protected void convertChunk() {
        weighing.byThread.forEach((thread, weight) -> {
            String frame = withoutNumber(getThreadName(thread));
            String name = frame.startsWith("[tid=") ? frame : frame.substring(1, frame.length() - 1);
            weights.merge(name, weight, Long::sum);
        });
        weighing.byThread.clear();
        super.convertChunk();
    }

    /// The frame of a thread without its process-specific number. Other frames are unchanged.
    static String withoutNumber(String frame) {
        return THREAD_NUMBER.matcher(frame).replaceFirst("[$1]");
    }

    /// The same name for the same code in two processes.
    @Override
    public String getMethodName(long methodId, byte methodType) {
        return withoutPath(super.getMethodName(methodId, methodType));
    }

    static String withoutPath(String frame) {
        return frame.startsWith("/") ? UNPACKED_LIBRARY.matcher(frame).replaceFirst("$1.so") : frame;
    }

    @Override
    public String getThreadName(int tid) {
        return SEPARATOR.matcher(super.getThreadName(tid)).replaceAll("?");
    }

    /// Passes only samples within the windows.
    private static final class Weighing implements EventCollector {

        private final EventAggregator kept;
        private final Map<Integer, Long> byThread = new HashMap<>();
        private @Nullable JfrReader jfr;
        private @Nullable SlowWindows windows;
        private boolean weighed;
        private long count;

        Weighing(EventAggregator kept) {
            this.kept = kept;
        }

        @Override
        public void collect(Event event) {
            long samples = windows == null
                    ? event.samples()
                    : windows.count(event.tid, event.time, event.samples(), wallIntervalNanos());
            if (samples > 0) {
                count += samples;
                byThread.merge(event.tid, weighed ? event.value() : samples, Long::sum);
                kept.collect(event, samples, event.value());
            }
        }

        /// Interval of wall-clock samples. One sample of a sleeping thread stands for several, one per interval.
        private long wallIntervalNanos() {
            String recorded = jfr == null ? null : jfr.settings.get("wall");
            return recorded == null || recorded.equals("-1")
                    ? ProfilePlan.WALL_INTERVAL.toNanos()
                    : Long.parseLong(recorded);
        }

        @Override
        public void beforeChunk() {
            kept.beforeChunk();
        }

        @Override
        public void afterChunk() {
            kept.afterChunk();
        }

        @Override
        public boolean finish() {
            return kept.finish();
        }

        @Override
        public void forEach(Visitor visitor) {
            kept.forEach(visitor);
        }
    }
}
