package kvant.load.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.load.record.Window;
import kvant.load.result.Asked;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.load.run.Validity;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;

/// What a comparison needs of one side: one run, or several of the same.
///
/// @param units what is drawn from: blocks of a run, or whole runs where there are at least [#RUNS_FOR_UNITS]
/// @param rates answers a second, of each unit
/// @param due requests of all runs
/// @param errors of those, the ones that did not get what they asked for
/// @param conditions what must be equal on both sides for the comparison to make sense, such as the target rate
/// @param doubts validity of the runs that are not valid, in words
public record Sample(
        String name,
        List<Histogram> units,
        List<Double> rates,
        int runs,
        long due,
        long errors,
        List<String> conditions,
        List<String> doubts) {

    /// From so many runs on, their differences are the uncertainty; below, the differences within a run have to do.
    static final int RUNS_FOR_UNITS = 3;

    /// One run, from its file.
    ///
    /// @throws UserException naming the file and what is wrong with it
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
        if (blocks.isEmpty() || result.asked().pace().windowNanos() == 0) {
            throw new UserException("there is nothing in it to compare");
        }
        return new Sample(
                name,
                blocks,
                rates(result),
                1,
                result.requests().due(),
                result.requests().errors(),
                conditions(result.asked()),
                doubts(result));
    }

    private static List<Double> rates(LoadResult result) {
        List<Double> rates = new ArrayList<>();
        for (Window window : result.windows()) {
            if (window.lengthNanos() == result.asked().pace().windowNanos()) {
                rates.add(window.rate());
            }
        }
        return rates;
    }

    private static List<String> conditions(Asked asked) {
        double rate = asked.pace().targetRate();
        return List.of(
                "workload " + asked.workload().name(),
                "keys " + asked.workload().keys() + " " + asked.workload().keyDistribution(),
                "values of " + asked.workload().values() + " bytes",
                "hits " + asked.workload().hits(),
                "a target of " + (Double.isNaN(rate) ? "none" : rate) + "/s",
                "arrivals " + asked.pace().law(),
                asked.clients().connections() + " connections",
                "depth " + asked.clients().depth());
    }

    private static List<String> doubts(LoadResult result) {
        List<String> doubts = new ArrayList<>();
        Validity validity = result.validity();
        if (validity.grade() != Validity.Grade.VALID) {
            doubts.add(validity.grade().name().toLowerCase(Locale.ROOT) + ": " + validity.why());
        }
        if (!result.isComplete()) {
            doubts.add("partial: " + result.partial());
        }
        return doubts;
    }

    /// Several runs of one side.
    public static Sample joined(String name, List<Sample> runs) {
        List<Histogram> units = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        List<String> doubts = new ArrayList<>();
        long due = 0;
        long errors = 0;
        for (Sample run : runs) {
            if (runs.size() >= RUNS_FOR_UNITS) {
                Histogram whole = new Histogram(3);
                run.units().forEach(whole::add);
                units.add(whole);
                rates.add(run.rates().stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElse(0));
            } else {
                units.addAll(run.units());
                rates.addAll(run.rates());
            }
            doubts.addAll(run.doubts());
            if (!run.conditions().equals(runs.getFirst().conditions())) {
                doubts.add(run.name() + " was not asked the same as "
                        + runs.getFirst().name());
            }
            due += run.due();
            errors += run.errors();
        }
        return new Sample(
                name, units, rates, runs.size(), due, errors, runs.getFirst().conditions(), doubts);
    }
}
