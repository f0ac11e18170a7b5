package kvant.load.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.load.record.Window;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.load.run.Validity;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;

/// The data of one side of a comparison: one run, or several runs of the same configuration.
///
/// @param units for the bootstrap: blocks of a run, or whole runs if there are at least [#RUNS_FOR_UNITS]
/// @param rates answers per second, of each unit
/// @param failures requests of each unit, and how many of them failed
/// @param conditions parameters of the runs
/// @param obstacles reasons why the sample is unusable, in words: runs that are invalid, or differ in configuration
/// @param doubts other reasons against its runs, in words
public record Sample(
        String name,
        List<Histogram> units,
        List<Double> rates,
        int runs,
        List<FailureDifference.Unit> failures,
        Conditions conditions,
        List<String> obstacles,
        List<String> doubts) {

    /// Number of runs from which their variation gives the uncertainty; with fewer, the variation within a run is used.
    static final int RUNS_FOR_UNITS = 3;

    /// Reads one run from its file.
    ///
    /// @throws UserException naming the file and the error
    public static Sample read(Path file) {
        LoadResult result = ResultFile.read(file);
        try {
            return of(String.valueOf(file.getFileName()), result);
        } catch (UserException e) {
            throw new UserException(file + ": " + e.getMessage(), e);
        }
    }

    private static Sample of(String name, LoadResult result) {
        List<Histogram> blocks = result.decodedBlocks();
        List<Window> windows = result.typedWindows();
        if (blocks.isEmpty() || result.asked().pace().windowNanos() == 0) {
            throw new UserException("there is nothing in it to compare");
        }
        return new Sample(
                name,
                blocks,
                rates(windows, result.asked().pace().windowNanos()),
                1,
                failures(windows, blocks.size()),
                Conditions.of(result.asked()),
                obstacles(name, result),
                doubts(result));
    }

    private static List<String> obstacles(String name, LoadResult result) {
        return result.validity() == Validity.Grade.INVALID
                ? List.of(name + " is invalid: " + result.validityReason())
                : List.of();
    }

    private static List<Double> rates(List<Window> windows, long wholeNanos) {
        return windows.stream()
                .filter(window -> window.lengthNanos() == wholeNanos)
                .map(Window::rate)
                .toList();
    }

    /// The failures in equal stretches of the run, one per block, from its windows.
    private static List<FailureDifference.Unit> failures(List<Window> windows, int blocks) {
        List<FailureDifference.Unit> units = new ArrayList<>();
        int from = 0;
        for (int block = 1; block <= blocks; block++) {
            int to = (int) ((long) windows.size() * block / blocks);
            units.add(unit(windows.subList(from, to)));
            from = to;
        }
        return units;
    }

    private static FailureDifference.Unit unit(List<Window> windows) {
        return new FailureDifference.Unit(
                windows.stream().mapToLong(Window::errors).sum(),
                windows.stream().mapToLong(Window::completed).sum());
    }

    private static List<String> doubts(LoadResult result) {
        List<String> doubts = new ArrayList<>();
        if (result.validity() == Validity.Grade.DOUBTFUL) {
            doubts.add("doubtful: " + result.validityReason());
        }
        if (!result.isComplete()) {
            doubts.add("partial: " + result.partial());
        }
        return doubts;
    }

    /// Combines several runs of one side.
    public static Sample joined(String name, List<Sample> runs) {
        List<Histogram> units = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        List<String> obstacles = new ArrayList<>();
        List<String> doubts = new ArrayList<>();
        Sample first = runs.getFirst();
        List<FailureDifference.Unit> failures = new ArrayList<>();
        for (Sample run : runs) {
            if (runs.size() >= RUNS_FOR_UNITS) {
                Histogram whole = new Histogram(3);
                run.units().forEach(whole::add);
                units.add(whole);
                rates.add(run.rates().stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElse(0));
                failures.add(FailureDifference.Unit.sum(run.failures()));
            } else {
                units.addAll(run.units());
                rates.addAll(run.rates());
                failures.addAll(run.failures());
            }
            obstacles.addAll(run.obstacles());
            doubts.addAll(run.doubts());
            String unlike = run.name() + " was not asked the same as " + first.name() + ": ";
            first.conditions.obstacles(run.conditions).forEach(what -> obstacles.add(unlike + what));
            first.conditions.notes(run.conditions).forEach(what -> doubts.add(unlike + what));
        }
        return new Sample(name, units, rates, runs.size(), failures, first.conditions, obstacles, doubts);
    }
}
