package kvant.report.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lab.result.ExperimentRecord;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.Remark;
import kvant.report.folder.Results;
import kvant.report.page.Block.Forest;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Answer;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Outlook;
import kvant.report.verdict.ShareDifference;
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
        PublishedSection.source(to);
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
                        .orElseGet(() -> to.get(nothingDiffers(
                                decided, verdicts.size(), verdicts.stream().anyMatch(Outlook::isPlanned))));
    }

    /// What is open is not the same: nothing is said of it.
    ///
    /// @param planned whether `kvant lab plan` knows how many rounds one of them takes
    private static String nothingDiffers(long decided, long of, boolean planned) {
        if (decided == of) {
            return "summary.same";
        }
        return decided > 0 ? "summary.sameOfDecided" : planned ? "summary.plan" : "summary.none";
    }

    private static boolean differs(Verdict verdict) {
        return switch (verdict.outcome()) {
            case BETTER, WORSE, MIXED -> true;
            case SAME, UNDERPOWERED, UNKNOWN -> false;
        };
    }

    private static double size(Verdict verdict) {
        Estimate estimate = verdict.estimate();
        return estimate == null ? 0 : Math.abs(Math.log1p(estimate.change()));
    }

    private static List<Block.Row> rows(Writer to, List<Answer> answers) {
        List<Block.Row> rows = new ArrayList<>();
        for (Answer answer : answers) {
            answer.verdicts().forEach(verdict -> rows.add(row(to, answer.question(), verdict)));
        }
        return rows.subList(0, Math.min(MOST_ROWS, rows.size()));
    }

    private static Block.Row row(Writer to, Question question, Verdict verdict) {
        String label = Stream.of(
                        pair(to, verdict),
                        to.words().getOr("forest.metric." + verdict.metric(), verdict.metric()),
                        verdict.phase())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" · "));
        String tone = verdict.outcome().name().toLowerCase(Locale.ROOT);
        return new Block.Row(
                VerdictSection.text(question, to.words()),
                label,
                value(to, verdict),
                tone,
                VerdictSection.interval(verdict),
                verdict.failures() == null ? Math.log1p(question.marginOrUsual()) : 0, // a share of the axis is none
                question.id());
    }

    /// By the titles of the variants, as in all charts; none where a question does not name two.
    private static String pair(Writer to, Verdict verdict) {
        return verdict.a().isEmpty()
                ? ""
                : to.say(Phrase.of("forest.pair")
                        .with("a", Measured.title(to.results(), verdict.a(), to.words()))
                        .with("b", Measured.title(to.results(), verdict.b(), to.words())));
    }

    private static String value(Writer to, Verdict verdict) {
        String badge = to.say(VerdictSentences.badge(verdict));
        double[] interval = VerdictSection.interval(verdict);
        ShareDifference failures = verdict.failures();
        if (failures != null && failures.isTold()) {
            String low = points(to, failures.low());
            return badge + ", " + change(to, points(to, failures.difference()), low, points(to, failures.high()));
        }
        return interval.length == 0
                ? badge
                : badge + ", "
                        + change(
                                to,
                                IntervalPicture.signed(interval[1], to.words()),
                                IntervalPicture.signed(interval[0], to.words()),
                                IntervalPicture.signed(interval[2], to.words()));
    }

    private static String change(Writer to, String change, String low, String high) {
        return to.say(Phrase.of("forest.value")
                .with("change", change)
                .with("low", low)
                .with("high", high));
    }

    /// Of failed requests: a difference of two shares.
    private static String points(Writer to, double share) {
        String points = (share > 0 ? "+" : "") + to.words().numbers().number(100 * share);
        return to.say(Phrase.of("value.points").with("points", points));
    }
}
