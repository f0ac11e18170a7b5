package kvant.report.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import kvant.lab.result.ExperimentRecord.Objective;
import kvant.lab.result.RunRecord;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.page.Block.Cell;
import kvant.report.page.Content.Columns;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;
import kvant.report.words.Phrase.Value;
import org.jspecify.annotations.Nullable;

/// Further figures of each variant: compliance with the objective, failures, and resource usage.
final class CostSection {

    private CostSection() {}

    static void objective(Content to) {
        @Nullable Objective objective = to.experiment().objective();
        if (objective == null) {
            return;
        }
        to.heading(2, "objective", to.get("objective.title"));
        to.text(to.say(Phrase.of("objective.text")
                .with("percentile", percentile(to, objective))
                .with("limit", Value.nanos(objective.nanos()))));
        Columns.measured(to)
                .column("p" + percentile(to, objective), one -> {
                    double median = Measured.median(charged(one, objective));
                    boolean never = median >= Double.MAX_VALUE / 2;
                    return Cell.number(
                            never ? to.get("objective.never") : to.numbers().time(median));
                })
                .text("objective.column", one -> held(to, charged(one, objective), objective.nanos()))
                .write(Measured.all(to.results()));
    }

    static String percentile(Content to, Objective objective) {
        return to.words().percentile(objective.percentile());
    }

    private static String held(Content to, double[] each, double limit) {
        long held = Arrays.stream(each).filter(nanos -> nanos <= limit).count();
        return each.length == 0 ? Numbers.NONE : to.say("objective.held", "held", held, "n", each.length);
    }

    /// For each round. Failed requests count as never answered, however fast they failed.
    private static double[] charged(Measured one, Objective objective) {
        return one.eachLoad(load -> {
            double within = Math.ceil(objective.percentile() / 100 * load.due());
            long good = load.accepted().getTotalCount();
            if (good < within) {
                return Double.MAX_VALUE;
            }
            return good == 0 ? Double.NaN : load.accepted().getValueAtPercentile(Math.min(100, 100 * within / good));
        });
    }

    static void errors(Content to) {
        to.heading(2, "errors", to.get("errors.title"));
        Numbers numbers = to.numbers();
        Columns.measured(to)
                .number("errors.due", one -> numbers.fixed(sum(one, DecodedResult::due), 0))
                .number("errors.failed", one -> numbers.fixed(sum(one, DecodedResult::errors), 0))
                .number("errors.share", one -> {
                    double due = Math.max(1, sum(one, DecodedResult::due));
                    return numbers.percent(sum(one, DecodedResult::errors) / due, -1);
                })
                .text("errors.kinds", one -> kinds(to, one.loads()))
                .text("errors.validity", one -> grades(to, one))
                .write(Measured.all(to.results()));
        to.note(to.get("errors.note"));
    }

    /// NaN if nothing was measured.
    private static double sum(Measured one, ToLongFunction<DecodedResult> figure) {
        return one.isEmpty()
                ? Double.NaN
                : one.loads().stream().mapToLong(figure).sum();
    }

    private static String kinds(Content to, List<DecodedResult> loads) {
        Map<String, Long> kinds = new TreeMap<>();
        Map<String, Long> statuses = new TreeMap<>();
        for (DecodedResult load : loads) {
            load.failures().forEach((kind, count) -> kinds.merge(kind, count, Long::sum));
            load.file().statuses().forEach((status, count) -> statuses.merge(status.toString(), count, Long::sum));
        }
        List<String> said = new ArrayList<>();
        kinds.forEach((kind, count) -> said.add(
                to.words().getOr("failure." + kind, kind) + " " + to.numbers().whole(count)));
        statuses.forEach((status, count) -> {
            if (status.compareTo("400") >= 0) {
                said.add(status + " × " + to.numbers().whole(count));
            }
        });
        return said.isEmpty() ? Numbers.NONE : String.join(", ", said);
    }

    private static String grades(Content to, Measured one) {
        Map<String, Long> grades = one.loads().stream()
                .map(load -> load.complete() ? load.validity() : "partial")
                .collect(Collectors.groupingBy(
                        grade -> to.words().getOr("grade." + grade, grade), TreeMap::new, Collectors.counting()));
        if (grades.size() < 2) {
            return grades.keySet().stream().findFirst().orElseGet(() -> to.get("grade.none"));
        }
        return grades.entrySet().stream()
                .map(grade -> grade.getKey() + " " + grade.getValue())
                .collect(Collectors.joining(", "));
    }

    static void resources(Content to) {
        to.heading(2, "resources", to.get("resources.title"));
        Numbers numbers = to.numbers();
        List<Measured> rows = Measured.all(to.results());
        boolean any = rows.stream()
                .anyMatch(one -> one.each(MeasuredStep::cpuNanosPerRequest).length > 0
                        || one.each(MeasuredStep::maxRssBytes).length > 0);
        if (!any) {
            to.text(to.get("resources.none"));
        } else {
            Columns.measured(to)
                    .cell("resources.cpu", one -> ranged(one.each(MeasuredStep::cpuNanosPerRequest), numbers::time))
                    .cell("resources.allocated", one -> allocated(to, one))
                    .cell("resources.memory", one -> ranged(one.each(MeasuredStep::maxRssBytes), numbers::bytes))
                    .cell("resources.gcPause", one -> ranged(one.each(MeasuredStep::gcPauseNanos), numbers::time))
                    .cell(
                            "resources.gcCount",
                            one -> ranged(one.each(MeasuredStep::gcCount), count -> numbers.fixed(count, 0)))
                    .write(rows);
            to.note(to.get("resources.note"));
        }
        laboratory(to, to.results().run().cost());
    }

    /// Known only with the flight recorder of a JVM.
    private static Cell allocated(Content to, Measured one) {
        double[] each = one.each(MeasuredStep::allocatedBytesPerRequest);
        return each.length == 0 && !one.isEmpty()
                ? Cell.text(to.get("resources.unknown"))
                : ranged(each, to.numbers()::bytes);
    }

    private static Cell ranged(double[] ascending, DoubleFunction<String> format) {
        if (ascending.length == 0) {
            return Cell.number(Numbers.NONE);
        }
        String least = format.apply(ascending[0]);
        String most = format.apply(ascending[ascending.length - 1]);
        return Cell.number(format.apply(Measured.median(ascending)), least.equals(most) ? "" : least + " – " + most);
    }

    private static void laboratory(Content to, RunRecord.Cost cost) {
        List<String> said = new ArrayList<>();
        if (Double.isFinite(cost.generatorBusiest())) {
            said.add(to.say("cost.generator", "share", Value.percent(cost.generatorBusiest())));
        }
        if (cost.profilerCpuRatio() > 0) {
            said.add(
                    to.say(Phrase.of("cost.profilerCpu", "change", new Value.Change(cost.profilerCpuRatio() - 1, -1))));
        }
        if (cost.profilerP99Ratio() > 0) {
            said.add(
                    to.say(Phrase.of("cost.profilerP99", "change", new Value.Change(cost.profilerP99Ratio() - 1, -1))));
        }
        to.text(said.isEmpty() ? to.get("cost.none") : String.join(" ", said));
    }
}
