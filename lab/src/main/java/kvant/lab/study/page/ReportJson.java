package kvant.lab.study.page;

import java.util.List;
import java.util.Locale;
import kvant.lab.report.Json;
import kvant.lab.study.folder.Experiment.Question;
import kvant.lab.study.folder.LoadResult;
import kvant.lab.study.folder.Phase;
import kvant.lab.study.folder.Profile;
import kvant.lab.study.folder.Results;
import kvant.lab.study.folder.Step;
import kvant.lab.study.folder.Tail;
import kvant.lab.study.folder.Variant;
import kvant.lab.study.verdict.Answer;
import kvant.lab.study.verdict.Estimate;
import kvant.lab.study.verdict.Judge;
import kvant.lab.study.verdict.Metric;
import kvant.lab.study.verdict.Verdict;
import kvant.lab.study.words.Words;

/// The report for a program: the schema of docs/report.md.
public final class ReportJson {

    public static final String SCHEMA = "kvant-report/1";

    private final Json json = new Json();
    private final Results results;
    private final Words words;

    private ReportJson(Results results, Words words) {
        this.results = results;
        this.words = words;
    }

    public static String of(Results results, List<Answer> answers, Words words) {
        return new ReportJson(results, words).json(answers);
    }

    private String json(List<Answer> answers) {
        json.open()
                .put("schema", SCHEMA)
                .put("experiment", results.experiment().name())
                .put("title", results.experiment().title())
                .put("scale", results.experiment().scale())
                .put("command", results.command())
                .put("startedAt", results.startedAt())
                .put("endedAt", results.endedAt())
                .put("complete", results.complete())
                .put("partialReason", results.partialReason())
                .put("confidence", Judge.CONFIDENCE);
        machine();
        json.openList("answers");
        answers.forEach(this::answer);
        json.closeList().openList("warnings");
        results.warnings().forEach(json::add);
        json.closeList().openList("missing");
        for (Profile.Missing gap : Gaps.of(results, words)) {
            json.open().put("what", gap.what()).put("why", gap.why()).close();
        }
        json.closeList().openList("figures");
        for (Phase phase : results.phases()) {
            Measured.of(results, phase).forEach(this::figures);
        }
        json.closeList().openList("tail");
        results.steps().forEach(this::tail);
        json.closeList().openList("profileDifferences");
        results.differences().forEach(this::difference);
        json.closeList();
        json.open("cost")
                .put("generatorBusiest", results.cost().generatorBusiest())
                .put("profilerCpuRatio", results.cost().profilerCpuRatio())
                .put("profilerP99Ratio", results.cost().profilerP99Ratio())
                .close();
        return json.close().toString();
    }

    private void machine() {
        json.open("machine")
                .put("cores", results.machine().cores())
                .put("cpu", results.machine().cpu())
                .put("memoryBytes", results.machine().memoryBytes())
                .put("kernel", results.machine().kernel())
                .put("os", results.machine().os())
                .put("jvm", results.machine().jvm())
                .close();
        json.open("kvant")
                .put("version", results.machine().version())
                .put("commit", results.machine().commit())
                .put("changed", results.machine().changed())
                .close();
        json.openList("variants");
        for (Variant variant : results.variants()) {
            json.open()
                    .put("name", variant.name())
                    .put("title", variant.title())
                    .put("command", RunSection.command(variant))
                    .close();
        }
        json.closeList();
    }

    private void answer(Answer answer) {
        Question question = answer.question();
        json.open().put("id", question.id()).put("question", question.text()).openList("verdicts");
        for (Verdict verdict : answer.verdicts()) {
            json.open()
                    .put("phase", verdict.phase())
                    .put("metric", verdict.metric())
                    .put("a", verdict.a())
                    .put("b", verdict.b())
                    .put("outcome", outcome(verdict))
                    .put("verdict", words.say(verdict.headline()));
            estimate(verdict.estimate());
            json.openList("details");
            verdict.details().forEach(one -> json.add(words.say(one)));
            json.closeList().openList("caveats");
            verdict.caveats().forEach(one -> json.add(words.say(one)));
            json.closeList().close();
        }
        json.closeList().close();
    }

    private static String outcome(Verdict verdict) {
        return switch (verdict.outcome()) {
            case NO_DIFFERENCE -> "noDifference";
            case BETTER, WORSE, MIXED, UNKNOWN -> verdict.outcome().name().toLowerCase(Locale.ROOT);
        };
    }

    private void estimate(@org.jspecify.annotations.Nullable Estimate estimate) {
        if (estimate != null) {
            json.put("valueA", estimate.a())
                    .put("valueB", estimate.b())
                    .put("changePercent", 100 * estimate.change())
                    .put("lowPercent", 100 * estimate.low())
                    .put("highPercent", 100 * estimate.high())
                    .put("rounds", estimate.rounds())
                    .put("basis", estimate.ofRounds() ? "rounds" : "windows");
        }
    }

    private void figures(Measured one) {
        List<LoadResult> loads = one.loads();
        json.open()
                .put("phase", one.phase().name())
                .put("variant", one.variant().name())
                .put("rounds", loads.size())
                .put("usable", one.usable() && !one.isEmpty())
                .put("due", loads.stream().mapToLong(LoadResult::due).sum())
                .put("errors", loads.stream().mapToLong(LoadResult::errors).sum())
                .put("achievedRate", Measured.median(one.eachLoad(LoadResult::achievedRate)))
                .put("cpuNanosPerRequest", Measured.median(one.each(Step::cpuNanosPerRequest)))
                .put("allocatedBytesPerRequest", Measured.median(one.each(Step::allocatedBytesPerRequest)))
                .put(
                        "maxRssBytes",
                        Measured.median(one.each(step -> step.process().maxRssBytes())))
                .put(
                        "gcPauseNanos",
                        Measured.median(one.each(step -> step.process().gcPauseNanos())))
                .put("gcCount", Measured.median(one.each(step -> step.process().gcCount())));
        json.open("percentilesNanos");
        for (double percentile : new double[] {50, 90, 99, 99.9, 99.99, 100}) {
            json.put(
                    Metric.label(percentile),
                    Measured.median(one.eachLoad(load -> load.response().getValueAtPercentile(percentile))));
        }
        json.close().close();
    }

    private void tail(Step step) {
        Tail tail = step.tail();
        if (tail == null) {
            return;
        }
        json.open().put("step", step.id()).put("attributedPercent", 100 * tail.attributedShare());
        json.openList("bands");
        for (Tail.Band band : tail.bands()) {
            json.open()
                    .put("from", band.from())
                    .put("to", band.to())
                    .put("requests", band.requests())
                    .put("meanNanos", band.meanNanos())
                    .open("partsNanos");
            band.partsNanos().forEach(json::put);
            json.close().close();
        }
        json.closeList().close();
    }

    private void difference(Profile.Difference difference) {
        json.open()
                .put("a", difference.a())
                .put("b", difference.b())
                .put("phase", difference.phase())
                .put("event", difference.event())
                .openList("frames");
        for (Profile.Change change : difference.changes()) {
            json.open()
                    .put("frame", change.frame())
                    .put("aPercent", 100 * change.a())
                    .put("bPercent", 100 * change.b())
                    .close();
        }
        json.closeList().close();
    }
}
