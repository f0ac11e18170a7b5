package kvant.lab.compare;

import java.util.ArrayList;
import java.util.List;
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
