package kvant.report.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Answer;
import kvant.report.verdict.Verdict;
import kvant.report.words.Phrase;
import kvant.report.words.Value;

/// All doubts about the answers, collapsed below one line of the first screen.
///
/// A doubt is harmless only if there is an answer and the doubt leaves it unchanged. A doubt about an undecided verdict
/// is listed among its reasons. Warnings known before the run, and missing results, are listed separately, because they
/// do not concern a particular answer.
final class DoubtSection {

    private final Content to;
    private final Set<String> decisive = new LinkedHashSet<>();
    private final Set<String> harmless = new LinkedHashSet<>();
    private final Set<String> reasons = new LinkedHashSet<>();
    private final Set<String> known = new LinkedHashSet<>();
    private final Set<String> missing = new LinkedHashSet<>();
    private int verdicts;
    private int unanswered;

    private DoubtSection(Content to) {
        this.to = to;
    }

    static void write(Content to, List<Answer> answers) {
        DoubtSection own = new DoubtSection(to);
        answers.forEach(answer -> answer.verdicts().forEach(own::add));
        own.harmless.removeAll(own.decisive); // a doubt that could change an answer is listed only once
        own.harmless.removeAll(own.reasons);
        to.results().run().warnings().stream().map(to::say).forEach(own.known::add);
        for (Gaps.Gap one : Gaps.of(to.results(), answers, to.words())) {
            own.missing.add(one.why().isEmpty() ? one.what() : one.what() + ": " + one.why());
        }
        own.write();
    }

    private void add(Verdict verdict) {
        verdicts++;
        List<String> could = said(VerdictSentences.decisive(verdict));
        decisive.addAll(could);
        Set<String> others = verdict.isDecided() ? harmless : reasons;
        if (!verdict.isDecided()) {
            unanswered++;
            reasons.add(to.say(VerdictSentences.reason(verdict)));
        }
        said(VerdictSentences.caveats(verdict)).stream()
                .filter(one -> !could.contains(one))
                .forEach(others::add);
    }

    private List<String> said(List<Phrase> phrases) {
        return phrases.stream().map(to::say).toList();
    }

    private void write() {
        Content aside = to.aside();
        list(aside, "doubts.decisive", decisive);
        list(aside, "doubts.harmless", harmless);
        list(aside, "doubts.reasons", reasons);
        list(aside, "warnings.title", known);
        list(aside, "missing.title", missing);
        if (aside.blocks().isEmpty()) {
            to.note(to.get("doubts.none"));
        } else {
            to.add(new Block.Folded(line(), aside.blocks()));
        }
    }

    private static void list(Content to, String key, Collection<String> lines) {
        if (!lines.isEmpty()) {
            to.add(new Block.Warning(to.get(key), List.copyOf(lines)));
        }
    }

    /// The number of doubts of each kind.
    private String line() {
        List<String> parts = new ArrayList<>();
        long doubts = decisive.size() + harmless.size();
        if (!decisive.isEmpty()) {
            Phrase could = Phrase.of("doubts.line.decisive").with("could", Value.count(decisive.size()));
            parts.add(to.say(could.counted(doubts)));
        } else if (doubts > 0) {
            parts.add(to.say(Phrase.of("doubts.line.harmless").counted(doubts)));
        }
        if (unanswered > 0) {
            Phrase open = Phrase.of("doubts.line.reasons").with("open", Value.count(unanswered));
            parts.add(to.say(open.with("of", Value.count(verdicts)).counted(reasons.size())));
        }
        if (!known.isEmpty()) {
            parts.add(to.say(Phrase.of("doubts.line.known").counted(known.size())));
        }
        if (!missing.isEmpty()) {
            parts.add(to.say(Phrase.of("doubts.line.missing").counted(missing.size())));
        }
        return String.join(" · ", parts);
    }
}
