package kvant.server.observe;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import org.jspecify.annotations.Nullable;

/// `GET /metrics`: the figures of node, engine and JVM, in the format that the scraper asks for (the text of
/// Prometheus, or OpenMetrics).
///
/// Figures are read at each scrape, by the thread that makes pages; nothing here is on the path of a request.
public final class MetricsPage implements PageSource {

    private static final int TYPICAL_BYTES = 64 << 10;

    // Owned by the thread that makes pages, and made for the first of them: a start does not wait for it.
    private @Nullable PrometheusRegistry jvm;

    // Atomic.
    private volatile Consumer<MetricSink> figures = _ -> {};

    /// Adds a source of figures besides those of the JVM.
    public void show(Consumer<MetricSink> source) {
        figures = source;
    }

    @Override
    public Outcome.Page page(String accept) {
        SnapshotSink sink = new SnapshotSink();
        figures.accept(sink);
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        sink.snapshots().forEach(all::metricSnapshot);
        for (MetricSnapshot snapshot : jvm().scrape()) {
            all.metricSnapshot(snapshot);
        }
        ExpositionFormatWriter writer = writerFor(accept);
        ByteArrayOutputStream out = new ByteArrayOutputStream(TYPICAL_BYTES);
        try {
            writer.write(out, all.build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Outcome.Page(writer.getContentType(), out.toByteArray());
    }

    /// Text in any case: the binary format is for clients that no longer exist.
    private ExpositionFormatWriter writerFor(String accept) {
        ExpositionFormatWriter open = OpenMetricsTextFormatWriter.create();
        return open.accepts(accept) ? open : PrometheusTextFormatWriter.create();
    }

    private PrometheusRegistry jvm() {
        PrometheusRegistry known = jvm;
        if (known == null) {
            known = new PrometheusRegistry();
            JvmMetrics.builder().register(known);
            jvm = known;
        }
        return known;
    }

    /// Gathers figures as the model of the Prometheus client. One name has one type; a name that comes again, with
    /// other labels, is another line of the same metric.
    static final class SnapshotSink implements MetricSink {

        private static final String TOTAL = "_total";

        /// Upper ends of buckets from a microsecond to 10 s, three of each power of ten.
        static final double[] SECONDS = {
            1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1,
            0.25, 0.5, 1, 2.5, 5, 10
        };

        /// Bounds for figures other than times: powers of four.
        private static final double[] SIZES = powersOfFour(16);

        private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
        private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
        private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

        @Override
        public void counter(String name, String help, double value, String... labels) {
            String base = name.endsWith(TOTAL) ? name.substring(0, name.length() - TOTAL.length()) : name;
            counters.computeIfAbsent(
                            base,
                            family -> CounterSnapshot.builder().name(family).help(help))
                    .dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                            .value(value)
                            .labels(Labels.of(labels))
                            .build());
        }

        @Override
        public void gauge(String name, String help, double value, String... labels) {
            gauges.computeIfAbsent(
                            name, family -> GaugeSnapshot.builder().name(family).help(help))
                    .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                            .value(value)
                            .labels(Labels.of(labels))
                            .build());
        }

        @Override
        public void histogram(String name, String help, Distribution values, String... labels) {
            histograms
                    .computeIfAbsent(
                            name,
                            family -> HistogramSnapshot.builder().name(family).help(help))
                    .dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder()
                            .classicHistogramBuckets(buckets(values, name.endsWith("_seconds") ? SECONDS : SIZES))
                            .sum(values.sum())
                            .labels(Labels.of(labels))
                            .build());
        }

        List<MetricSnapshot> snapshots() {
            List<MetricSnapshot> all = new ArrayList<>();
            counters.values().forEach(each -> all.add(each.build()));
            gauges.values().forEach(each -> all.add(each.build()));
            histograms.values().forEach(each -> all.add(each.build()));
            return all;
        }

        /// The model takes the count of each bucket alone.
        private static ClassicHistogramBuckets buckets(Distribution values, double[] bounds) {
            ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
            long before = 0;
            for (double bound : bounds) {
                long upTo = Math.max(before, values.countUpTo(bound));
                buckets.bucket(bound, upTo - before);
                before = upTo;
            }
            return buckets.bucket(Double.POSITIVE_INFINITY, Math.max(0, values.count() - before))
                    .build();
        }

        private static double[] powersOfFour(int count) {
            double[] powers = new double[count];
            for (int i = 0; i < count; i++) {
                powers[i] = 1L << 2 * i;
            }
            return powers;
        }
    }
}
