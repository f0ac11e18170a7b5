package kvant.report.page;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.ExperimentRecord.Source;
import kvant.lab.result.Remark;
import kvant.lab.result.TailRecord;
import kvant.load.record.Percentiles;
import kvant.load.result.RecordJson;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.Profile;
import kvant.report.folder.Results;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.page.DoubtSection.Gaps;
import kvant.report.sentence.Remarks;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Judge;
import kvant.report.verdict.ShareDifference;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Answer;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.words.Phrase;
import kvant.report.words.Words;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// The report as JSON: the schema of docs/report.md.
public final class ReportJson {

    public static final String SCHEMA = "kvant-report/3";

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
                .put("experiment", results.run().experiment().name())
                .put("title", results.run().experiment().title())
                .put("scale", results.run().experiment().scale())
                .put("command", results.command())
                .put("startedAt", results.run().startedAt())
                .put("endedAt", results.run().endedAt())
                .put("complete", results.complete())
                .put("partialReason", said(results.run().partialReason()))
                .put("confidence", Judge.CONFIDENCE)
                .put("disturbedAbovePercent", 100 * results.run().experiment().disturbedAbove());
        source();
        machine();
        list("answers", answers, this::answer);
        list("warnings", results.run().warnings(), one -> json.add(said(one)));
        RecordJson.put(json, "missing", Gaps.of(results, answers, words));
        list("figures", Measured.all(results), this::figures);
        list("tail", results.steps(), this::tail);
        list("profileDifferences", results.differences(), this::difference);
        RecordJson.put(json, "cost", results.run().cost());
        return json.close().toString();
    }

    private <T> void list(String name, List<T> members, Consumer<T> write) {
        json.openList(name);
        members.forEach(write);
        json.closeList();
    }

    private void sentences(String name, List<Phrase> sentences) {
        list(name, sentences, one -> json.add(words.say(one)));
    }

    private String said(@Nullable Remark remark) {
        return remark == null ? "" : words.say(Remarks.phrase(remark));
    }

    private void source() {
        Source source = results.run().experiment().source();
        if (source != null) {
            json.open("source")
                    .put("title", source.title())
                    .put("course", source.course())
                    .put("year", source.year())
                    .put("stage", source.stage());
            list("links", source.links(), json::add);
            json.close();
        }
    }

    private void machine() {
        RecordJson.put(json, "machine", results.run().machine());
        json.open("kvant")
                .put("version", results.run().kvant().version())
                .put("commit", Objects.requireNonNullElse(results.run().kvant().commit(), ""))
                .put("changed", results.run().kvant().changed())
                .close();
        list(
                "variants",
                results.variants(),
                variant -> json.open()
                        .put("name", variant.name())
                        .put("title", variant.title())
                        .put("command", variant.typed())
                        .close());
    }

    private void answer(Answer answer) {
        Question question = answer.question();
        json.open().put("id", question.id()).put("question", question.text());
        list("verdicts", answer.verdicts(), this::verdict);
        json.close();
    }

    private void verdict(Verdict verdict) {
        json.open()
                .put("phase", verdict.phase())
                .put("metric", verdict.metric())
                .put("a", verdict.a())
                .put("b", verdict.b())
                .put("outcome", verdict.outcome().name().toLowerCase(Locale.ROOT))
                .put("verdict", words.say(VerdictSentences.headline(verdict)));
        estimate(verdict.estimate());
        failures(verdict.failures());
        json.put("heldByGenerator", verdict.heldByGenerator().isPresent());
        verdict.host().ifPresent(this::disturbedBlocks);
        sentences("details", VerdictSentences.details(verdict));
        sentences("caveats", VerdictSentences.caveats(verdict));
        sentences("decisiveCaveats", VerdictSentences.decisive(verdict));
        json.close();
    }

    private void estimate(@Nullable Estimate estimate) {
        if (estimate != null) {
            json.put("valueA", estimate.a())
                    .put("valueB", estimate.b())
                    .put("changePercent", 100 * estimate.change())
                    .put("lowPercent", 100 * estimate.low())
                    .put("highPercent", 100 * estimate.high())
                    .put("rounds", estimate.rounds())
                    .put("couldHidePercent", 100 * (estimate.hidden() - 1))
                    .put("basis", basis(estimate.unit()))
                    .put("disturbed", estimate.disturbed());
        }
    }

    private static String basis(Estimate.Unit unit) {
        return switch (unit) {
            case ROUND -> "rounds";
            case BLOCK -> "blocks";
            case STRETCH -> "windows";
        };
    }

    /// With enough digits for one failure in a thousand million requests.
    private void failures(@Nullable ShareDifference failures) {
        if (failures != null) {
            json.putExact("failedPercentA", 100 * failures.a())
                    .putExact("failedPercentB", 100 * failures.b())
                    .putExact("lowPoints", 100 * failures.low())
                    .putExact("highPoints", 100 * failures.high())
                    .put("rounds", failures.rounds())
                    .put("basis", basis(failures.unit()));
        }
    }

    private void disturbedBlocks(Caveat.Host host) {
        json.open("disturbedBlocks")
                .put("n", host.n())
                .put("of", host.of())
                .put("stolen", host.stolen())
                .put("others", host.others())
                .put("leftOut", host.leftOut())
                .close();
    }

    private void figures(Measured one) {
        List<DecodedResult> loads = one.loads();
        json.open()
                .put("phase", one.phase().name())
                .put("variant", one.variant().name())
                .put("rounds", loads.size())
                .put("usable", one.usable() && !one.isEmpty())
                .put("due", loads.stream().mapToLong(DecodedResult::due).sum())
                .put("errors", loads.stream().mapToLong(DecodedResult::errors).sum())
                .put("achievedRate", Measured.median(one.eachLoad(DecodedResult::achievedRate)))
                .put("cpuNanosPerRequest", Measured.median(one.each(MeasuredStep::cpuNanosPerRequest)))
                .put("allocatedBytesPerRequest", Measured.median(one.each(MeasuredStep::allocatedBytesPerRequest)))
                .put("maxRssBytes", Measured.median(one.each(MeasuredStep::maxRssBytes)))
                .put("gcPauseNanos", Measured.median(one.each(MeasuredStep::gcPauseNanos)))
                .put("gcCount", Measured.median(one.each(MeasuredStep::gcCount)));
        json.open("percentilesNanos");
        for (double percentile : new double[] {50, 90, 99, 99.9, 99.99, 100}) {
            json.put(
                    Percentiles.name(percentile),
                    Measured.median(one.eachLoad(
                            load -> load.isTimed() ? load.response().getValueAtPercentile(percentile) : Double.NaN)));
        }
        json.close().close();
    }

    private void tail(MeasuredStep step) {
        TailRecord tail = step.tail();
        if (tail == null) {
            return;
        }
        json.open().put("step", step.id()).put("attributedPercent", 100 * tail.attributedShare());
        list("bands", tail.bands(), this::band);
        json.close();
    }

    private void band(TailRecord.Band band) {
        json.open()
                .put("from", band.from())
                .put("to", band.to())
                .put("requests", band.requests())
                .put("meanNanos", band.meanNanos());
        RecordJson.put(json, "partsNanos", band.parts());
        RecordJson.put(json, "meanwhileNanos", band.meanwhile());
        json.close();
    }

    private void difference(Profile.Difference difference) {
        json.open()
                .put("a", difference.a())
                .put("b", difference.b())
                .put("phase", difference.phase())
                .put("event", difference.event());
        list(
                "frames",
                difference.frames(),
                change -> json.open()
                        .put("frame", change.frame())
                        .put("aPercent", 100 * change.a())
                        .put("bPercent", 100 * change.b())
                        .close());
        json.close();
    }
}
