package kvant.bench.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;
import kvant.lsm.LsmEngine;
import kvant.lsm.version.Levels;

/// What an engine says of itself at one moment: its gauges.
public final class Gauges implements MetricSink {

    private final Map<List<String>, Double> values = new HashMap<>();

    private Gauges() {}

    public static Gauges of(LsmEngine engine) {
        Gauges gauges = new Gauges();
        engine.measure(gauges);
        return gauges;
    }

    /// @param words the name of a gauge, and name and value of each of its labels
    /// @throws IllegalStateException where the engine has no such gauge
    public long value(String... words) {
        Double value = values.get(List.of(words));
        if (value == null) {
            throw new IllegalStateException("the engine has no " + String.join(" ", words));
        }
        return value.longValue();
    }

    /// How many levels hold tables, level 0 left out.
    public int levels() {
        int levels = 0;
        for (int level = 1; level <= Levels.LAST; level++) {
            levels += value("kvant_lsm_level_tables", "level", String.valueOf(level)) > 0 ? 1 : 0;
        }
        return levels;
    }

    /// Runs that are no level of their own.
    public int levelZeroRuns() {
        return (int) value("kvant_lsm_runs") - levels();
    }

    @Override
    public void gauge(String name, String help, double value, String... labels) {
        String[] words = new String[labels.length + 1];
        words[0] = name;
        System.arraycopy(labels, 0, words, 1, labels.length);
        values.put(List.of(words), value);
    }

    @Override
    public void counter(String name, String help, double value, String... labels) {}

    @Override
    public void histogram(String name, String help, Distribution values, String... labels) {}
}
