package kvant.report.page;

import java.util.Arrays;
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
import kvant.report.page.HtmlPage.ForestPicture;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Judge;
import kvant.report.verdict.PowerEstimate;
import kvant.report.verdict.ShareDifference;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Answer;
import kvant.report.words.Phrase;
import kvant.report.words.Phrase.Value;
import kvant.report.words.Words;

/// The first screen: a sentence, a chart, and a line that states whether a doubt could change them.
final class AnswerSection {

    /// Maximum rows on a screen; the cards below show all.
    private static final int MOST_ROWS = 12;

    /// Maximum doubts on a card; the first screen shows all.
    private static final int MOST_DOUBTS = 3;

    private AnswerSection() {}

    static void write(Content to, List<Answer> answers) {
        Results results = to.results();
        if (!results.complete()) {
            Remark why = results.run().partialReason();
            to.add(new Block.Warning(to.get("partial.title"), why == null ? List.of() : List.of(to.say(why))));
        }
        List<Verdict> verdicts =
                answers.stream().flatMap(answer -> answer.verdicts().stream()).toList();
        if (!verdicts.isEmpty()) {
            List<Block.Row> rows = answers.stream()
                    .flatMap(answer -> answer.verdicts().stream().map(verdict -> row(to, answer.question(), verdict)))
                    .limit(MOST_ROWS)
                    .toList();
            to.add(new Forest(sentence(to, verdicts), to.get("forest.axis"), rows));
            if (verdicts.size() > MOST_ROWS) {
                to.note(to.say("forest.more", "n", verdicts.size() - MOST_ROWS));
            }
        }
        DoubtSection.write(to, answers);
        ExperimentRecord experiment = results.run().experiment();
        String description = to.words().choose(experiment.description(), experiment.descriptionRu());
        if (!description.isEmpty()) {
            to.note(description);
        }
        PublishedSection.source(to);
    }

    private static String sentence(Content to, List<Verdict> verdicts) {
        if (verdicts.size() == 1) {
            return to.say(VerdictSentences.headline(verdicts.getFirst()));
        }
        long decided = verdicts.stream().filter(Verdict::isDecided).count();
        Optional<Verdict> clearest = verdicts.stream()
                .filter(one -> one.outcome().isDifference())
                .max(Comparator.comparingDouble(AnswerSection::size));
        Phrase counted = Phrase.of("summary.decided", "decided", decided);
        counted = counted.counted(verdicts.size());
        return to.say(counted) + " "
                + clearest.map(one -> to.say("summary.clearest", "claim", VerdictSentences.headline(one)))
                        .orElseGet(() -> to.get(nothingDiffers(
                                decided, verdicts.size(), verdicts.stream().anyMatch(PowerEstimate::isPlanned))));
    }

    /// States how many verdicts are decided. An open question does not mean "no difference".
    ///
    /// @param planned whether `kvant lab plan` can estimate the rounds for one of them
    private static String nothingDiffers(long decided, long of, boolean planned) {
        if (decided == of) {
            return "summary.same";
        }
        return decided > 0 ? "summary.sameOfDecided" : planned ? "summary.plan" : "summary.none";
    }

    private static double size(Verdict verdict) {
        Estimate estimate = verdict.estimate();
        return estimate == null ? 0 : Math.abs(Math.log1p(estimate.change()));
    }

    private static Block.Row row(Content to, Question question, Verdict verdict) {
        String label = Stream.of(
                        pair(to, verdict),
                        to.words().getOr("forest.metric." + verdict.metric(), verdict.metric()),
                        verdict.phase())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" · "));
        String tone = verdict.outcome().name().toLowerCase(Locale.ROOT);
        return new Block.Row(
                text(question, to.words()),
                label,
                value(to, verdict),
                tone,
                interval(verdict),
                verdict.failures() == null ? Math.log1p(question.marginOrUsual()) : 0, // not on this axis
                question.id());
    }

    /// The titles of the two variants, as in all charts; empty if a question does not compare exactly two.
    private static String pair(Content to, Verdict verdict) {
        return verdict.a().isEmpty()
                ? ""
                : to.say(Phrase.of("forest.pair")
                        .with("a", Measured.title(to.results(), verdict.a(), to.words()))
                        .with("b", Measured.title(to.results(), verdict.b(), to.words())));
    }

    private static String value(Content to, Verdict verdict) {
        String badge = to.say(VerdictSentences.badge(verdict));
        ShareDifference failures = verdict.failures();
        if (failures != null && failures.isTold()) {
            String low = points(to, failures.low());
            return badge + ", " + change(to, points(to, failures.difference()), low, points(to, failures.high()));
        }
        double[] interval = interval(verdict);
        if (interval.length == 0) {
            return badge;
        }
        String[] ends = Arrays.stream(interval)
                .mapToObj(log -> ForestPicture.signed(log, to.words()))
                .toArray(String[]::new);
        return badge + ", " + change(to, ends[1], ends[0], ends[2]);
    }

    private static String change(Content to, String change, String low, String high) {
        return to.say("forest.value", "change", change, "low", low, "high", high);
    }

    /// For failed requests: a difference of two shares.
    private static String points(Content to, double share) {
        String points = (share > 0 ? "+" : "") + to.numbers().number(100 * share);
        return to.say("value.points", "points", points);
    }

    /// Adds the answers, question by question: their basis, and the doubts that could change them.
    static void verdicts(Content to, List<Answer> answers) {
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
            to.note(to.say("verdicts.confidence", "confidence", Value.percent(Judge.CONFIDENCE)));
        }
    }

    static String text(ExperimentRecord.Question question, Words words) {
        String text = words.choose(question.text(), question.textRu());
        return text.isEmpty() ? question.id() : text;
    }

    private static Block.Card card(Verdict verdict, Answer answer, Content to) {
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

    /// The first few doubts; the section of doubts above lists all.
    private static List<String> decisive(Verdict verdict, Content to) {
        List<String> all =
                VerdictSentences.decisive(verdict).stream().map(to::say).toList();
        if (all.size() <= MOST_DOUBTS) {
            return all;
        }
        String more = to.say("doubts.more", "n", all.size() - MOST_DOUBTS);
        return Stream.concat(all.stream().limit(MOST_DOUBTS), Stream.of(more)).toList();
    }

    static double[] interval(Verdict verdict) {
        Estimate estimate = verdict.estimate();
        return estimate == null || !estimate.isTold() || verdict.outcome() == Verdict.Outcome.UNKNOWN
                ? new double[0]
                : new double[] {Math.log1p(estimate.low()), Math.log1p(estimate.change()), Math.log1p(estimate.high())};
    }
}
