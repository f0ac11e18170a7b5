package kvant.report.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import kvant.lab.result.SamplesRecord.Event;
import kvant.lab.result.SamplesRecord.Sample;
import kvant.load.record.Window;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.MeasuredStep;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// Data for the charts over time: latency, throughput, processor time, stolen time, and activities of the process. Long
/// runs are reduced to [#MOST_POINTS] points: each has the highest p99 of its windows, and the mean of the other
/// figures.
final class TimeChart {

    static final int MOST_POINTS = 240;

    /// Maximum number of spans in a lane of events; beyond that, neighbours are merged.
    static final int MOST_SPANS = 400;

    private final Content to;
    private final List<Measured> measured;
    private final double bin;
    private final int points;
    private final double end;

    private TimeChart(Content to, List<Measured> measured) {
        this.to = to;
        this.measured = measured;
        double last = 1;
        double usual = 1;
        for (Measured one : measured) {
            List<Window> windows = windows(one);
            for (Window window : windows) {
                last = Math.max(last, window.fromNanos() + window.lengthNanos());
            }
            usual = Math.max(usual, windows.isEmpty() ? 1 : windows.getFirst().lengthNanos());
        }
        end = last;
        double exact = Math.max(usual, end / MOST_POINTS);
        bin = usual * Math.ceil(exact / usual - 1e-9);
        points = (int) Math.max(1, Math.ceil(end / bin - 1e-3));
    }

    static Block of(Content to, List<Measured> measured) {
        return new TimeChart(to, measured).block();
    }

    /// The windows of the measured time. The last window of a run belongs to draining and may have any length.
    private static List<Window> windows(Measured one) {
        DecodedResult load = one.middle().load();
        if (load == null) {
            return List.of();
        }
        long told = load.file().asked().pace().durationNanos();
        double planned = told > 0 ? told : Double.POSITIVE_INFINITY;
        return load.file().typedWindows().stream()
                .filter(window -> window.fromNanos() + window.lengthNanos() / 2 < planned)
                .toList();
    }

    private Block block() {
        Json json = new Json().open().put("kind", "time").put("end", end / 1e9);
        double[] x = new double[points];
        for (int i = 0; i < points; i++) {
            x[i] = (i * bin + Math.min((i + 1) * bin, end)) / 2e9;
        }
        list(json, "x", x);
        json.openList("series");
        for (Measured one : measured) {
            json.open().put("name", one.title(to.words())).put("colour", one.colour());
            windows(json, windows(one));
            stolen(json, one);
            samples(json, one.middle().samples().typed());
            json.close();
        }
        json.closeList().openList("lanes");
        measured.forEach(one -> lanes(json, one));
        json.closeList().close();
        return new Block.Chart("time", to.get("time.description"), json.toString());
    }

    private int point(double nanos) {
        return Math.clamp((long) (nanos / bin), 0, points - 1);
    }

    private void windows(Json json, List<Window> windows) {
        double[] p50 = nothing();
        double[] p99 = nothing();
        double[] answered = nothing();
        double[] errors = nothing();
        double[] length = nothing();
        for (Window window : windows) {
            int at = point(window.fromNanos() + window.lengthNanos() / 2);
            if (window.completed() > 0) {
                p50[at] = Double.isNaN(p50[at]) ? window.p50Nanos() : (p50[at] + window.p50Nanos()) / 2;
                p99[at] = Double.isNaN(p99[at]) ? window.p99Nanos() : Math.max(p99[at], window.p99Nanos());
            }
            answered[at] = sum(answered[at], window.answered());
            errors[at] = sum(errors[at], window.errors());
            length[at] = sum(length[at], window.lengthNanos());
        }
        for (int i = 0; i < points; i++) {
            p50[i] = LatencyChart.millis(p50[i]);
            p99[i] = LatencyChart.millis(p99[i]);
            // A short last piece has too few requests for a rate.
            boolean whole = length[i] > bin / 2;
            answered[i] = whole ? Math.rint(answered[i] * 1e10 / length[i]) / 10 : Double.NaN;
            errors[i] = whole ? Math.rint(errors[i] * 1e10 / length[i]) / 10 : Double.NaN;
        }
        list(json, "p50", p50);
        list(json, "p99", p99);
        list(json, "rate", answered);
        if (Arrays.stream(errors).anyMatch(one -> one > 0)) {
            list(json, "errors", errors);
        }
    }

    /// Stolen share of processor time, in percent. A window shorter than the sampling interval of the host has none;
    /// its time is counted in the next one.
    private void stolen(Json json, Measured one) {
        DecodedResult load = one.middle().load();
        long processors = load == null ? 0 : load.host().processors();
        double[] nanos = nothing();
        double[] length = nothing();
        for (Window window : windows(one)) {
            int at = point(window.fromNanos() + window.lengthNanos() / 2);
            nanos[at] = sum(nanos[at], window.stolenNanos());
            length[at] = sum(length[at], window.lengthNanos());
        }
        if (processors == 0 || Arrays.stream(nanos).noneMatch(taken -> taken > 0)) {
            return;
        }
        double[] percent = nothing();
        for (int i = 0; i < points; i++) {
            percent[i] = Math.rint(Math.min(100, 100 * nanos[i] / (length[i] * processors)) * 10) / 10;
        }
        list(json, "stolen", percent);
    }

    private double[] nothing() {
        double[] cells = new double[points];
        Arrays.fill(cells, Double.NaN);
        return cells;
    }

    private static double sum(double a, double b) {
        return Double.isNaN(a) ? b : a + b;
    }

    static void list(Json json, String name, double[] values) {
        json.openList(name);
        json.add(values);
        json.closeList();
    }

    /// Processors in use between consecutive samples.
    private void samples(Json json, List<Sample> samples) {
        double[] cpu = nothing();
        double[] rss = nothing();
        @Nullable Sample before = null;
        for (Sample sample : samples) {
            if (before != null && sample.fromNanos() > before.fromNanos()) {
                double used = (sample.cpuNanos() - before.cpuNanos()) / (sample.fromNanos() - before.fromNanos());
                int at = point((sample.fromNanos() + before.fromNanos()) / 2);
                cpu[at] = Math.rint(used * 1000) / 1000;
                rss[at] = Math.rint(sample.rssBytes() / (1 << 20));
            }
            before = sample;
        }
        if (Arrays.stream(cpu).anyMatch(Double::isFinite)) {
            list(json, "cpu", cpu);
            list(json, "rss", rss);
        }
    }

    private void lanes(Json json, Measured one) {
        MeasuredStep step = one.middle();
        TreeMap<String, List<Event>> kinds = new TreeMap<>();
        for (Event event : step.samples().events()) {
            kinds.computeIfAbsent(event.kind(), _ -> new ArrayList<>()).add(event);
        }
        kinds.forEach((kind, events) -> {
            json.open()
                    .put("name", Measured.title(one.variant(), to.words()))
                    .put("event", to.words().getOr("event." + kind, kind))
                    .put("colour", one.colour())
                    .put("count", (long) events.size())
                    .openList("spans");
            spans(events).forEach(span -> json.add(span[0], span[1]));
            json.closeList().close();
        });
    }

    /// Start and end in seconds; spans that would be indistinguishable are merged.
    private List<double[]> spans(List<Event> events) {
        double near = points * bin / 1e9 / MOST_SPANS;
        List<double[]> spans = new ArrayList<>();
        events.stream()
                .sorted(Comparator.comparingDouble(Event::fromNanos))
                .filter(event -> event.toNanos() >= 0 && event.fromNanos() <= points * bin)
                .forEach(event -> {
                    double from = Math.max(0, event.fromNanos() / 1e9);
                    double until = event.toNanos() / 1e9;
                    if (!spans.isEmpty() && from - spans.getLast()[1] < near && events.size() > MOST_SPANS) {
                        spans.getLast()[1] = Math.max(spans.getLast()[1], until);
                    } else {
                        spans.add(new double[] {from, until});
                    }
                });
        return spans;
    }
}
