package kvant.report.page;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import kvant.lab.result.ExperimentRecord;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Answer;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Judge;
import kvant.report.verdict.Verdict;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
import kvant.report.words.Words;

/// The answers, question by question: what each rests on, and what could change it.
final class VerdictSection {

    private static final int MOST_DOUBTS = 3;

    private VerdictSection() {}

    static void write(Writer to, List<Answer> answers) {
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
    }

    static String text(ExperimentRecord.Question question, Words words) {
        String text = words.choose(question.text(), question.textRu());
        return text.isEmpty() ? question.id() : text;
    }

    private static Block.Card card(Verdict verdict, Answer answer, Writer to) {
        String outcome = verdict.outcome().name().toLowerCase(Locale.ROOT);
        String badge = to.say(VerdictSentences.badge(verdict));
        boolean several =
                answer.verdicts().stream().map(Verdict::phase).distinct().count() > 1;
        String headline = to.say(VerdictSentences.headline(verdict));
        return new Block.Card(
                several ? verdict.phase() + " · " + badge : badge,
                outcome,
                headline,
                VerdictSentences.details(verdict).stream().map(to::say).toList(),
                decisive(verdict, to),
                interval(verdict),
                TailSection.bars(to, verdict),
                ProfileSection.links(to, verdict));
    }

    /// The first few; all of them are above.
    private static List<String> decisive(Verdict verdict, Writer to) {
        List<String> all =
                VerdictSentences.decisive(verdict).stream().map(to::say).toList();
        if (all.size() <= MOST_DOUBTS) {
            return all;
        }
        String more = to.say(Phrase.of("doubts.more").counted(all.size() - MOST_DOUBTS));
        return Stream.concat(all.stream().limit(MOST_DOUBTS), Stream.of(more)).toList();
    }

    static double[] interval(Verdict verdict) {
        Estimate estimate = verdict.estimate();
        return estimate == null || !estimate.isTold() || verdict.outcome() == Verdict.Outcome.UNKNOWN
                ? new double[0]
                : new double[] {Math.log1p(estimate.low()), Math.log1p(estimate.change()), Math.log1p(estimate.high())};
    }
}
