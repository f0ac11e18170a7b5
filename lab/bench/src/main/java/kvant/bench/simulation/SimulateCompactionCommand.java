package kvant.bench.simulation;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import kvant.bench.simulation.Simulation.Point;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import kvant.text.ExitCode;
import kvant.text.Json;
import kvant.text.Units;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant bench simulate-compaction`: write and space amplification of the pickers over time.
@Command(
        name = "simulate-compaction",
        description = "Write and space amplification of leveled and universal compaction over time.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Only the picker runs, on imagined tables; data is scaled down to at most a",
            "million keys, all sizes alike. Merging takes no time here: a store that keeps",
            "up with its writers. The log adds 1 to what is written."
        })
public final class SimulateCompactionCommand implements Callable<Integer> {

    private static final int SIMULATED_KEYS = 1_000_000;
    private static final int MIN_MEMTABLE_RECORDS = 20;
    private static final double MAX_WRITES = 100;

    enum Style {
        BOTH,
        LEVELED,
        UNIVERSAL
    }

    enum Format {
        TEXT,
        JSON
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--style", paramLabel = "S", description = "leveled, universal or both (default: both).")
    private Style style = Style.BOTH;

    @Option(
            names = "--workload",
            paramLabel = "W",
            description = "uniform (random overwrites; the default), skewed, sequential or queue.")
    private WritePattern workload = WritePattern.UNIFORM;

    @Option(
            names = "--data",
            paramLabel = "SIZE",
            converter = SizeOption.class,
            description = "Live data (default: 10GiB).")
    private long data = 10L << 30;

    @Option(
            names = "--record",
            paramLabel = "SIZE",
            converter = SizeOption.class,
            description = "One key with its value (default: 116).")
    private long record = 116;

    @Option(
            names = "--memtable",
            paramLabel = "SIZE",
            converter = SizeOption.class,
            description = "What one flush writes (default: 64MiB).")
    private long memtable = 64L << 20;

    @Option(
            names = "--table",
            paramLabel = "SIZE",
            converter = SizeOption.class,
            description = "Size of a table (default: 64MiB).")
    private long table = 64L << 20;

    @Option(names = "--writes", paramLabel = "X", description = "How many times the data is written (default: 6).")
    private double writes = 6;

    @Option(names = "--level0-runs", paramLabel = "N", description = "Leveled: runs that level 0 is merged at.")
    private @Nullable Integer level0Runs;

    @Option(
            names = "--base",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Leveled: largest first level (default: 16 memtables).")
    private @Nullable Long base;

    @Option(names = "--multiplier", paramLabel = "N", description = "Leveled: how much larger the next level is.")
    private @Nullable Integer multiplier;

    @Option(names = "--seed", paramLabel = "N", description = "Of the random writes (default: 1).")
    private int seed = 1;

    @Option(names = "--format", paramLabel = "F", description = "text or json (default: text).")
    private Format format = Format.TEXT;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public Integer call() {
        Map<String, List<Point>> curves = new LinkedHashMap<>();
        try {
            refuseNonsense();
            if (style != Style.UNIVERSAL) {
                curves.put("leveled", simulation(leveled()).run());
            }
            if (style != Style.LEVELED) {
                curves.put("universal", simulation(Universal.DEFAULT).run());
            }
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()));
        }
        PrintWriter out = spec.commandLine().getOut();
        switch (format) {
            case TEXT -> printText(out, curves);
            case JSON -> printJson(out, curves);
        }
        out.flush();
        return ExitCode.DONE;
    }

    private void refuseNonsense() {
        if (!(writes > 0 && writes <= MAX_WRITES)) {
            throw new IllegalArgumentException("'--writes' is more than 0 and at most " + (int) MAX_WRITES);
        }
        if (record < 1 || data < record) {
            throw new IllegalArgumentException("'--data' is at least one '--record'");
        }
        if (scaled(memtable) < MIN_MEMTABLE_RECORDS * record) {
            throw new IllegalArgumentException("'--memtable " + Units.bytes(memtable) + "' is too small beside '--data "
                    + Units.bytes(data) + "' to be simulated: a ten-thousandth at least");
        }
    }

    private Leveled leveled() {
        Leveled usual = Leveled.above(scaled(memtable));
        return new Leveled(
                level0Runs == null ? usual.level0Runs() : level0Runs,
                base == null ? usual.baseBytes() : scaled(base),
                multiplier == null ? usual.multiplier() : multiplier);
    }

    private Simulation simulation(Picker picker) {
        int keys = keys();
        return new Simulation(
                picker,
                workload,
                keys,
                Math.toIntExact(record),
                scaled(memtable),
                Math.max(scaled(table), record),
                (long) (writes * keys),
                seed);
    }

    private int keys() {
        return (int) Math.min(SIMULATED_KEYS, data / record);
    }

    /// How many bytes one simulated byte stands for.
    private double scale() {
        return (double) data / ((double) keys() * record);
    }

    private long scaled(long size) {
        return (long) (size / scale());
    }

    private void printText(PrintWriter out, Map<String, List<Point>> curves) {
        out.printf(
                Locale.ROOT,
                "%s of %s, records of %s, memtables of %s, written %.3g times (simulated at 1:%.0f)%n%n",
                workload.name().toLowerCase(Locale.ROOT),
                Units.bytes(data),
                Units.bytes(record),
                Units.bytes(memtable),
                writes,
                scale());
        out.printf("%-10s %7s %7s %9s %14s %9s%n", "", "write", "space", "at most", "while merging", "most runs");
        curves.forEach((name, points) -> {
            List<Point> settled = settled(points);
            out.printf(
                    Locale.ROOT,
                    "%-10s %7.2f %7.2f %9.2f %14.2f %9d%n",
                    name,
                    points.getLast().writeAmplification(),
                    points.getLast().spaceAmplification(),
                    settled.stream()
                            .mapToDouble(Point::spaceAmplification)
                            .max()
                            .orElse(0),
                    settled.stream()
                            .mapToDouble(Point::peakSpaceAmplification)
                            .max()
                            .orElse(0),
                    points.stream().mapToInt(Point::runs).max().orElse(0));
        });
        out.println();
        out.print(TextChart.of("write amplification, over bytes written", columns(curves, Point::writeAmplification)));
        out.println();
        out.print(TextChart.of("space amplification", columns(curves, Point::spaceAmplification)));
    }

    /// The points after all keys have been written once: before, there is little to amplify.
    private List<Point> settled(List<Point> points) {
        return points.subList((int) Math.min(points.size() - 1, points.size() / Math.max(1, writes)), points.size());
    }

    private static Map<String, double[]> columns(Map<String, List<Point>> curves, ToDoubleFunction<Point> figure) {
        Map<String, double[]> columns = new LinkedHashMap<>();
        curves.forEach((name, points) ->
                columns.put(name, points.stream().mapToDouble(figure).toArray()));
        return columns;
    }

    private void printJson(PrintWriter out, Map<String, List<Point>> curves) {
        Json json = Json.line()
                .open()
                .put("workload", workload.name().toLowerCase(Locale.ROOT))
                .put("dataBytes", data)
                .put("recordBytes", record)
                .put("memtableBytes", memtable)
                .put("tableBytes", table)
                .put("seed", seed)
                .open("curves");
        curves.forEach((name, points) -> {
            json.openList(name);
            points.forEach(point -> json.open()
                    .put("writtenBytes", Math.round(point.writtenBytes() * scale()))
                    .put("writeAmplification", point.writeAmplification())
                    .put("spaceAmplification", point.spaceAmplification())
                    .put("peakSpaceAmplification", point.peakSpaceAmplification())
                    .put("runs", point.runs())
                    .close());
            json.closeList();
        });
        out.println(json.close().close());
    }
}
