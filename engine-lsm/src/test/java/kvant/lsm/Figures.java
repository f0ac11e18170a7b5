package kvant.lsm;

import java.util.Map;
import java.util.TreeMap;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;

/// The figures of an engine at one moment, by name and labels: `name{label,value}`; of a histogram its count, and
/// its sum under `name_sum`.
public final class Figures implements MetricSink {

    private final Map<String, Double> values = new TreeMap<>();

    public static Figures of(LsmEngine engine) {
        Figures figures = new Figures();
        engine.measure(figures);
        return figures;
    }

    public double get(String name) {
        Double value = values.get(name);
        if (value == null) {
            throw new AssertionError("no figure " + name + " in " + values.keySet());
        }
        return value;
    }

    @Override
    public void counter(String name, String help, double value, String... labels) {
        put(name, value, labels);
    }

    @Override
    public void gauge(String name, String help, double value, String... labels) {
        put(name, value, labels);
    }

    @Override
    public void histogram(String name, String help, Distribution distribution, String... labels) {
        put(name, distribution.count(), labels);
        put(name + "_sum", distribution.sum(), labels);
    }

    private void put(String name, double value, String... labels) {
        values.put(labels.length == 0 ? name : name + "{" + String.join(",", labels) + "}", value);
    }
}
