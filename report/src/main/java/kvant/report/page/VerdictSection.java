package kvant.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.lab.result.ExperimentRecord;
import kvant.lab.result.Remark;
import kvant.report.folder.Results;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Answer;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Judge;
import kvant.report.verdict.Verdict;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
import kvant.report.words.Words;

/// What a reader came for: the answers, and what to know before believing them.
final class VerdictSection {

    private VerdictSection() {}

    static void write(Writer to, List<Answer> answers) {
        Results results = to.results();
        if (!results.complete()) {
            Remark why = results.partialReason();
            to.add(new Block.Warning(to.get("partial.title"), why == null ? List.of() : List.of(to.say(why))));
        }
        to.heading(2, "verdicts", to.get("verdicts.title"));
        if (answers.isEmpty()) {
            to.text(to.get("verdicts.none"));
        }
        for (Answer answer : answers) {
            to.add(new Block.Question(
                    answer.question().id(),
                    text(answer.question(), to.words()),
                    answer.verdicts().stream()
                            .map(verdict -> card(verdict, answer, to))
                            .toList()));
        }
        if (!answers.isEmpty()) {
            to.note(to.say(Phrase.of("verdicts.confidence").with("confidence", Value.percent(Judge.CONFIDENCE))));
        }
        warnings(to);
    }

    static String text(ExperimentRecord.Question question, Words words) {
        String text = words.choose(question.text(), question.textRu());
        return text.isEmpty() ? question.id() : text;
    }

    private static Block.Card card(Verdict verdict, Answer answer, Writer to) {
        String outcome = verdict.outcome().name().toLowerCase(Locale.ROOT);
        String badge = to.get("outcome." + outcome);
        boolean several =
                answer.verdicts().stream().map(Verdict::phase).distinct().count() > 1;
        String headline = to.say(VerdictSentences.headline(verdict));
        return new Block.Card(
                several ? verdict.phase() + " · " + badge : badge,
                outcome,
                headline,
                VerdictSentences.details(verdict).stream().map(to::say).toList(),
                VerdictSentences.caveats(verdict).stream().map(to::say).toList(),
                interval(verdict));
    }

    private static double[] interval(Verdict verdict) {
        Estimate estimate = verdict.estimate();
        return estimate == null || !estimate.isTold() || verdict.outcome() == Verdict.Outcome.UNKNOWN
                ? new double[0]
                : new double[] {Math.log1p(estimate.low()), Math.log1p(estimate.change()), Math.log1p(estimate.high())};
    }

    private static void warnings(Writer to) {
        Results results = to.results();
        if (!results.warnings().isEmpty()) {
            to.add(new Block.Warning(
                    to.get("warnings.title"),
                    results.warnings().stream().map(to::say).toList()));
        }
        List<String> missing = new ArrayList<>();
        for (Gaps.Gap one : Gaps.of(results, to.words())) {
            missing.add(one.why().isEmpty() ? one.what() : one.what() + ": " + one.why());
        }
        if (!missing.isEmpty()) {
            to.add(new Block.Warning(to.get("missing.title"), missing));
        }
    }
}
