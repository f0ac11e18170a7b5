package kvant.server.observe;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import kvant.engine.MetricSink;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import org.jspecify.annotations.Nullable;

/// `GET /metrics`: the figures of node, engine and JVM, in the format that the scraper asks for (the text of
/// Prometheus, or OpenMetrics).
///
/// Figures are read when somebody asks, by the thread that makes pages; nothing here is on the way of a
/// request.
public final class MetricsPage implements PageSource {

    private static final int TYPICAL_BYTES = 64 << 10;

    // Owned by the thread that makes pages, and made for the first of them: a start does not wait for either.
    private @Nullable PrometheusRegistry jvm;
    private @Nullable ExpositionFormats formats;

    // Atomic.
    private volatile Consumer<MetricSink> figures = _ -> {};

    /// From now on shows these figures besides those of the JVM.
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
        ExpositionFormatWriter open = formats().getOpenMetricsTextFormatWriter();
        return open.accepts(accept) ? open : formats().getPrometheusTextFormatWriter();
    }

    private ExpositionFormats formats() {
        ExpositionFormats known = formats;
        if (known == null) {
            known = ExpositionFormats.init();
            formats = known;
        }
        return known;
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
}
