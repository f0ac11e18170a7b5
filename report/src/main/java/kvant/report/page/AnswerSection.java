package kvant.report.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import kvant.lab.result.ExperimentRecord;
import kvant.lab.result.Remark;
import kvant.report.folder.Results;
import kvant.report.page.Block.Forest;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Answer;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Verdict;
import kvant.report.words.Phrase;
import kvant.report.words.Value;

/// The first screen: one sentence, one picture, and one line that says whether a doubt could change them.
final class AnswerSection {

    /// What a screen has room for; the cards below have all.
    private static final int MOST_ROWS = 12;

    private AnswerSection() {}

    static void write(Writer to, List<Answer> answers) {
        Results results = to.results();
        if (!results.complete()) {
            Remark why = results.partialReason();
            to.add(new Block.Warning(to.get("partial.title"), why == null ? List.of() : List.of(to.say(why))));
        }
        List<Verdict> verdicts =
                answers.stream().flatMap(answer -> answer.verdicts().stream()).toList();
        if (!verdicts.isEmpty()) {
            to.add(new Forest(sentence(to, verdicts), to.get("forest.axis"), rows(to, answers)));
            if (verdicts.size() > MOST_ROWS) {
                to.note(to.say(Phrase.of("forest.more").counted(verdicts.size() - MOST_ROWS)));
            }
        }
        DoubtSection.write(to, answers);
        ExperimentRecord experiment = results.experiment();
        String description = to.words().choose(experiment.description(), experiment.descriptionRu());
        if (!description.isEmpty()) {
            to.note(description);
        }
    }

    private static String sentence(Writer to, List<Verdict> verdicts) {
        if (verdicts.size() == 1) {
            return to.say(VerdictSentences.headline(verdicts.getFirst()));
        }
        long decided = verdicts.stream().filter(Verdict::isDecided).count();
        Optional<Verdict> clearest =
                verdicts.stream().filter(AnswerSection::differs).max(Comparator.comparingDouble(AnswerSection::size));
        Phrase counted = Phrase.of("summary.decided").with("decided", Value.count(decided));
        counted = counted.counted(verdicts.size());
        return to.say(counted) + " "
                + clearest.map(one ->
                                to.say(Phrase.of("summary.clearest").with("claim", VerdictSentences.headline(one))))
                        .orElseGet(() -> to.get(nothingDiffers(decided, verdicts.size())));
    }

    /// What is open is not the same: nothing is said of it.
    private static String nothingDiffers(long decided, long of) {
        if (decided == of) {
            return "summary.same";
        }
        return decided == 0 ? "summary.none" : "summary.sameOfDecided";
    }

    private static boolean differs(Verdict verdict) {
        return switch (verdict.outcome()) {
            case BETTER, WORSE, MIXED -> true;
            case NO_DIFFERENCE, SAME, UNDERPOWERED, UNKNOWN -> false;
        };
    }

    private static double size(Verdict verdict) {
        Estimate estimate = verdict.estimate();
        return estimate == null ? 0 : Math.abs(Math.log1p(estimate.change()));
    }

    private static List<Block.Row> rows(Writer to, List<Answer> answers) {
        List<Block.Row> rows = new ArrayList<>();
        for (Answer answer : answers) {
            for (Verdict verdict : answer.verdicts()) {
                double[] interval = VerdictSection.interval(verdict);
                String label = Stream.of(
                                to.words().getOr("forest.metric." + verdict.metric(), verdict.metric()),
                                verdict.phase(),
                                to.say(Phrase.of("forest.pair")
                                        .with("a", verdict.a())
                                        .with("b", verdict.b())))
                        .filter(part -> !part.isEmpty())
                        .reduce((a, b) -> a + " · " + b)
                        .orElse("");
                String tone = verdict.outcome().name().toLowerCase(Locale.ROOT);
                String badge = to.get("outcome." + tone);
                String value = interval.length == 0
                        ? badge
                        : badge + ", "
                                + to.say(Phrase.of("forest.value")
                                        .with("change", IntervalPicture.signed(interval[1], to.words()))
                                        .with("low", IntervalPicture.signed(interval[0], to.words()))
                                        .with("high", IntervalPicture.signed(interval[2], to.words())));
                double margin = Math.log1p(answer.question().marginOrUsual());
                rows.add(new Block.Row(
                        label, value, tone, interval, margin, answer.question().id()));
            }
        }
        return rows.subList(0, Math.min(MOST_ROWS, rows.size()));
    }
}
