package kvant.report.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import kvant.lab.result.ExperimentRecord.Objective;
import kvant.lab.result.PhaseRecord;
import kvant.lab.result.RunRecord;
import kvant.report.folder.LoadResult;
import kvant.report.folder.Results;
import kvant.report.folder.Step;
import kvant.report.page.Block.Cell;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;
import kvant.report.words.Value;

/// What else there is to know of each variant: whether it holds the objective, what failed, and what it
/// took.
final class CostSection {

    private CostSection() {}

    static void objective(Writer to) {
        Objective objective = to.results().experiment().objective();
        if (objective == null) {
            return;
        }
        Numbers numbers = to.words().numbers();
        to.heading(2, "objective", to.get("objective.title"));
        to.text(to.say(Phrase.of("objective.text")
                .with("percentile", percentile(to, objective))
                .with("limit", Value.nanos(objective.nanos()))));
        List<List<Cell>> rows = new ArrayList<>();
        for (PhaseRecord phase : to.results().phases()) {
            for (Measured one : Measured.of(to.results(), phase)) {
                double[] each = one.eachLoad(load -> charged(load, objective.percentile()));
                long held = Arrays.stream(each)
                        .filter(nanos -> nanos <= objective.nanos())
                        .count();
                rows.add(List.of(
                        Cell.text(phase.name()),
                        Cell.text(one.label(to.words())),
                        Cell.number(finite(Measured.median(each), numbers::time, to)),
                        Cell.text(
                                each.length == 0
                                        ? Numbers.NONE
                                        : to.say(Phrase.of("objective.held")
                                                .with("held", Value.count(held))
                                                .counted(each.length)))));
            }
        }
        to.table(
                List.of(
                        to.get("column.phase"),
                        to.get("column.variant"),
                        "p" + percentile(to, objective),
                        to.get("objective.column")),
                rows);
    }

    static String percentile(Writer to, Objective objective) {
        return to.words().numbers().fixed(objective.percentile(), PhaseSection.decimals(objective.percentile()));
    }

    /// Failed requests count as never answered, however fast they failed.
    private static double charged(LoadResult load, double percentile) {
        double within = Math.ceil(percentile / 100 * load.due());
        long good = load.accepted().getTotalCount();
        if (good < within) {
            return Double.MAX_VALUE;
        }
        return good == 0 ? Double.NaN : load.accepted().getValueAtPercentile(Math.min(100, 100 * within / good));
    }

    private static String finite(double value, DoubleFunction<String> format, Writer to) {
        return value >= Double.MAX_VALUE / 2 ? to.get("objective.never") : format.apply(value);
    }

    static void errors(Writer to) {
        to.heading(2, "errors", to.get("errors.title"));
        List<List<Cell>> rows = new ArrayList<>();
        for (PhaseRecord phase : to.results().phases()) {
            for (Measured one : Measured.of(to.results(), phase)) {
                List<LoadResult> loads = one.loads();
                long due = loads.stream().mapToLong(LoadResult::due).sum();
                long errors = loads.stream().mapToLong(LoadResult::errors).sum();
                rows.add(List.of(
                        Cell.text(phase.name()),
                        Cell.text(one.label(to.words())),
                        Cell.number(
                                loads.isEmpty()
                                        ? Numbers.NONE
                                        : to.words().numbers().whole(due)),
                        Cell.number(
                                loads.isEmpty()
                                        ? Numbers.NONE
                                        : to.words().numbers().whole(errors)),
                        Cell.number(
                                loads.isEmpty()
                                        ? Numbers.NONE
                                        : to.words().numbers().percent((double) errors / Math.max(1, due), -1)),
                        Cell.text(kinds(to, loads)),
                        Cell.text(grades(to, one))));
            }
        }
        to.table(
                List.of(
                        to.get("column.phase"),
                        to.get("column.variant"),
                        to.get("errors.due"),
                        to.get("errors.failed"),
                        to.get("errors.share"),
                        to.get("errors.kinds"),
                        to.get("errors.validity")),
                rows);
        to.note(to.get("errors.note"));
    }

    private static String kinds(Writer to, List<LoadResult> loads) {
        Map<String, Long> kinds = new TreeMap<>();
        Map<String, Long> statuses = new TreeMap<>();
        for (LoadResult load : loads) {
            load.failures().forEach((kind, count) -> kinds.merge(kind, count, Long::sum));
            load.file().statuses().forEach((status, count) -> statuses.merge(status.toString(), count, Long::sum));
        }
        List<String> said = new ArrayList<>();
        kinds.forEach((kind, count) -> said.add(to.words().getOr("failure." + kind, kind) + " "
                + to.words().numbers().whole(count)));
        statuses.forEach((status, count) -> {
            if (status.compareTo("400") >= 0) {
                said.add(status + " × " + to.words().numbers().whole(count));
            }
        });
        return said.isEmpty() ? Numbers.NONE : String.join(", ", said);
    }

    private static String grades(Writer to, Measured one) {
        Map<String, Long> grades = new TreeMap<>();
        for (LoadResult load : one.loads()) {
            String grade = load.complete() ? load.validity() : "partial";
            grades.merge(to.words().getOr("grade." + grade, grade), 1L, Long::sum);
        }
        if (grades.isEmpty()) {
            return to.get("grade.none");
        }
        return grades.size() == 1
                ? grades.keySet().iterator().next()
                : String.join(
                        ", ",
                        grades.entrySet().stream()
                                .map(grade -> grade.getKey() + " " + grade.getValue())
                                .toList());
    }

    static void resources(Writer to) {
        Results results = to.results();
        to.heading(2, "resources", to.get("resources.title"));
        Numbers numbers = to.words().numbers();
        List<List<Cell>> rows = new ArrayList<>();
        boolean any = false;
        for (PhaseRecord phase : results.phases()) {
            for (Measured one : Measured.of(results, phase)) {
                double[] cpu = one.each(Step::cpuNanosPerRequest);
                double[] memory = one.each(step -> step.process().maxRssBytes());
                any |= cpu.length > 0 || memory.length > 0;
                rows.add(List.of(
                        Cell.text(phase.name()),
                        Cell.text(one.label(to.words())),
                        ranged(cpu, numbers::time),
                        allocated(to, one),
                        ranged(memory, numbers::bytes),
                        ranged(one.each(step -> step.process().gcPauseNanos()), numbers::time),
                        ranged(one.each(step -> step.process().gcCount()), count -> numbers.fixed(count, 0))));
            }
        }
        if (!any) {
            to.text(to.get("resources.none"));
        } else {
            to.table(
                    List.of(
                            to.get("column.phase"),
                            to.get("column.variant"),
                            to.get("resources.cpu"),
                            to.get("resources.allocated"),
                            to.get("resources.memory"),
                            to.get("resources.gcPause"),
                            to.get("resources.gcCount")),
                    rows);
            to.note(to.get("resources.note"));
        }
        laboratory(to, results.cost());
    }

    /// Only the flight recorder of a JVM knows it.
    private static Cell allocated(Writer to, Measured one) {
        double[] each = one.each(Step::allocatedBytesPerRequest);
        return each.length == 0 && !one.isEmpty()
                ? Cell.text(to.get("resources.unknown"))
                : ranged(each, to.words().numbers()::bytes);
    }

    private static Cell ranged(double[] ascending, DoubleFunction<String> format) {
        if (ascending.length == 0) {
            return Cell.number(Numbers.NONE);
        }
        String least = format.apply(ascending[0]);
        String most = format.apply(ascending[ascending.length - 1]);
        return Cell.number(format.apply(Measured.median(ascending)), least.equals(most) ? "" : least + " – " + most);
    }

    private static void laboratory(Writer to, RunRecord.Cost cost) {
        List<String> said = new ArrayList<>();
        if (Double.isFinite(cost.generatorBusiest())) {
            said.add(to.say(Phrase.of("cost.generator").with("share", Value.percent(cost.generatorBusiest()))));
        }
        if (cost.profilerCpuRatio() > 0) {
            said.add(to.say(
                    Phrase.of("cost.profilerCpu").with("change", new Value.Change(cost.profilerCpuRatio() - 1, -1))));
        }
        if (cost.profilerP99Ratio() > 0) {
            said.add(to.say(
                    Phrase.of("cost.profilerP99").with("change", new Value.Change(cost.profilerP99Ratio() - 1, -1))));
        }
        to.text(said.isEmpty() ? to.get("cost.none") : String.join(" ", said));
    }
}
