package kvant.server.observe;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.DoubleStream;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import kvant.text.Json;

/// `GET /ui/history`: counters of the last ten minutes, sampled by the node, so that the live page has a past when it
/// is opened: names of series as in `/metrics`, and a row for each sample: its age in seconds, then the value of each
/// series.
///
/// Bounded: [#MOST] samples of about 200 counters, 200 KiB. Its own thread samples; any thread may read.
public final class HistoryPage implements PageSource, AutoCloseable {

    static final Duration STEP = Duration.ofSeconds(5);
    static final int MOST = 121;

    private static final double NANOS_PER_SECOND = 1e9;

    // Constant.
    private final Consumer<MetricSink> figures;
    private final LongSupplier nanos;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("kvant-history").daemon().factory());

    // Guarded by this.
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private List<String> series = List.of();

    private record Sample(long nanos, double[] values) {}

    /// @param figures of requests: the same series in the same order each time
    /// @param nanos a clock
    HistoryPage(Consumer<MetricSink> figures, LongSupplier nanos) {
        this.figures = figures;
        this.nanos = nanos;
    }

    /// @param sampled whether it samples until it is closed; else it stays empty
    public static HistoryPage of(Consumer<MetricSink> figures, boolean sampled) {
        HistoryPage page = new HistoryPage(figures, System::nanoTime);
        if (sampled) {
            long step = STEP.toSeconds();
            page.thread.scheduleAtFixedRate(page::sample, step, step, TimeUnit.SECONDS);
        }
        return page;
    }

    void sample() {
        Counters counters = new Counters();
        figures.accept(counters);
        synchronized (this) {
            series = List.copyOf(counters.values.keySet());
            double[] values = counters.values.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .toArray();
            samples.add(new Sample(nanos.getAsLong(), values));
            if (samples.size() > MOST) {
                samples.removeFirst();
            }
        }
    }

    @Override
    public synchronized Outcome.Page page(String accept) {
        Json json = Json.line().open().openList("series");
        series.forEach(json::add);
        json.closeList().openList("samples");
        long now = nanos.getAsLong();
        for (Sample sample : samples) {
            double ago = (now - sample.nanos()) / NANOS_PER_SECOND;
            json.add(DoubleStream.concat(DoubleStream.of(ago), Arrays.stream(sample.values()))
                    .toArray());
        }
        String text = json.closeList().close() + "\n";
        return new Outcome.Page("application/json", text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /// Counters, and the buckets of whole request times, by series.
    private static final class Counters implements MetricSink {

        private final Map<String, Double> values = new LinkedHashMap<>();

        @Override
        public void counter(String name, String help, double value, String... labels) {
            StringBuilder series = new StringBuilder(name);
            for (int i = 0; i < labels.length; i += 2) {
                series.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
                series.append(labels[i + 1]).append('"');
            }
            values.put(series.append('}').toString(), value);
        }

        @Override
        public void gauge(String name, String help, double value, String... labels) {
            // The page draws no gauge over time.
        }

        @Override
        public void histogram(String name, String help, Distribution times, String... labels) {
            if (labels[labels.length - 1].equals("total")) {
                String[] bucket = Arrays.copyOf(labels, labels.length + 2);
                bucket[labels.length] = "le";
                for (double bound : MetricsPage.SnapshotSink.SECONDS) {
                    bucket[labels.length + 1] = Double.toString(bound);
                    counter(name + "_bucket", help, times.countUpTo(bound), bucket);
                }
                bucket[labels.length + 1] = "+Inf";
                counter(name + "_bucket", help, times.count(), bucket);
            }
        }
    }
}
