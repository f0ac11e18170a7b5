package kvant.bench.overload;

import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import kvant.bench.figures.Chart;
import kvant.text.Scale;

/// Goodput and the p99 of accepted requests against the offered load: two panels for each workload.
final class OverloadPicture {

    private static final double LEAST_TOP = 1.2;

    private OverloadPicture() {}

    /// @param goodput share of the peak
    /// @param p99Millis NaN where nothing was accepted
    record Point(double factor, double goodput, double p99Millis) {}

    /// The points of one executor.
    record Line(String executor, List<Point> points) {}

    static String svg(Map<String, List<Line>> byWorkload, List<Double> factors) {
        List<String> names = byWorkload.values().stream()
                .flatMap(List::stream)
                .map(Line::executor)
                .distinct()
                .toList();
        Chart chart = new Chart("Goodput and p99 of accepted requests against the offered load", names);
        Scale across = Scale.powers(factors.getFirst(), factors.getLast())
                .withTicks(factors.stream().filter(factor -> factor >= 1).toList());
        byWorkload.forEach((workload, lines) -> {
            goodput(chart.panel(workload + ": goodput"), across, lines, names);
            tail(chart.panel(workload + ": p99 of accepted requests"), across, lines, names);
        });
        return chart.svg();
    }

    private static void goodput(Chart.Panel panel, Scale across, List<Line> lines, List<String> names) {
        double most = points(lines)
                .mapToDouble(Point::goodput)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
        Scale up = Scale.linear(0, Math.max(LEAST_TOP, most))
                .withTicks(DoubleStream.iterate(0, tick -> tick + 0.2)
                        .limit(7)
                        .boxed()
                        .toList());
        panel.axes(across, "offered load, times capacity", up, "2xx a second, to the peak");
        for (Line line : lines) {
            panel.line(
                    names.indexOf(line.executor()),
                    line.points().stream()
                            .map(point -> new double[] {point.factor(), point.goodput()})
                            .toList());
        }
    }

    private static void tail(Chart.Panel panel, Scale across, List<Line> lines, List<String> names) {
        double[] times = points(lines)
                .mapToDouble(Point::p99Millis)
                .filter(millis -> millis > 0)
                .toArray();
        Scale up = Scale.decades(
                DoubleStream.of(times).min().orElse(1),
                DoubleStream.of(times).max().orElse(1));
        panel.axes(across, "offered load, times capacity", up, "service time, ms");
        for (Line line : lines) {
            panel.line(
                    names.indexOf(line.executor()),
                    line.points().stream()
                            .filter(point -> point.p99Millis() > 0)
                            .map(point -> new double[] {point.factor(), point.p99Millis()})
                            .toList());
        }
    }

    private static Stream<Point> points(List<Line> lines) {
        return lines.stream().flatMap(line -> line.points().stream());
    }
}
