package kvant.server.observe;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;

/// Gathers figures as the model of the Prometheus client. One name has one type; a name that comes again, with
/// other labels, is another line of the same metric.
final class SnapshotSink implements MetricSink {

    private static final String TOTAL = "_total";

    /// Upper ends of buckets from a microsecond to 10 s, three of each power of ten.
    private static final double[] SECONDS = {
        1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25,
        0.5, 1, 2.5, 5, 10
    };

    /// For what is not a time: powers of four.
    private static final double[] SIZES = powersOfFour(16);

    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

    @Override
    public void counter(String name, String help, double value, String... labels) {
        String base = name.endsWith(TOTAL) ? name.substring(0, name.length() - TOTAL.length()) : name;
        counters.computeIfAbsent(
                        base, family -> CounterSnapshot.builder().name(family).help(help))
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
                        name, family -> HistogramSnapshot.builder().name(family).help(help))
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
