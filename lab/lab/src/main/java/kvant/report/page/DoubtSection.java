package kvant.report.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord.Missing;
import kvant.lab.result.RunRecord.PhaseRecord;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.Results;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.sentence.Remarks;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Answer;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.words.Phrase;
import kvant.report.words.Phrase.Value;
import kvant.report.words.Words;

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
            Phrase could = Phrase.of("doubts.line.decisive", "could", decisive.size());
            parts.add(to.say(could.counted(doubts)));
        } else if (doubts > 0) {
            parts.add(to.say("doubts.line.harmless", "n", doubts));
        }
        if (unanswered > 0) {
            Phrase open = Phrase.of("doubts.line.reasons", "open", unanswered);
            parts.add(to.say(open.with("of", Value.count(verdicts)).counted(reasons.size())));
        }
        if (!known.isEmpty()) {
            parts.add(to.say("doubts.line.known", "n", known.size()));
        }
        if (!missing.isEmpty()) {
            parts.add(to.say("doubts.line.missing", "n", missing.size()));
        }
        return String.join(" · ", parts);
    }

    /// Missing contents of a report, with the reasons if known. Gaps with the same reason are grouped. A doubt
    /// about a step that already counts against a verdict is not listed here.
    static final class Gaps {

        /// A missing item and its reason, in words.
        record Gap(String what, String why) {}

        private record Kind(String key, String why, String phase) {}

        private final Results results;
        private final Words words;
        private final Set<String> doubted;
        private final Map<Kind, List<String>> gaps = new LinkedHashMap<>();

        private Gaps(Results results, List<Answer> answers, Words words) {
            this.results = results;
            this.words = words;
            this.doubted = answers.stream()
                    .flatMap(answer -> answer.verdicts().stream())
                    .flatMap(verdict -> verdict.caveats().stream())
                    .flatMap(caveat -> switch (caveat) {
                        case Caveat.Doubtful doubtful -> Stream.of(doubtful.step());
                        case Caveat.Unstable unstable -> Stream.of(unstable.step());
                        default -> Stream.<String>empty();
                    })
                    .collect(Collectors.toSet());
        }

        static List<Gap> of(Results results, List<Answer> answers, Words words) {
            Gaps found = new Gaps(results, answers, words);
            results.steps().forEach(found::ofStep);
            for (PhaseRecord phase : results.run().phases()) {
                for (VariantRecord variant : results.variants()) {
                    if (variant.gets(phase.name())) {
                        found.ofVariant(variant.name(), phase.name());
                    }
                }
            }
            List<Gap> said = new ArrayList<>();
            for (Missing one : results.missing()) {
                said.add(new Gap(words.say(Remarks.phrase(one.what())), words.say(Remarks.phrase(one.why()))));
            }
            found.gaps.forEach((kind, names) -> {
                Phrase phrase =
                        Phrase.of(kind.key, kind.phase.isEmpty() ? "steps" : "variants", String.join(", ", names));
                said.add(
                        new Gap(words.say(kind.phase.isEmpty() ? phrase : phrase.with("phase", kind.phase)), kind.why));
            });
            return said.stream().distinct().toList();
        }

        private void add(String key, String why, String phase, String name) {
            gaps.computeIfAbsent(new Kind(key, why, phase), _ -> new ArrayList<>())
                    .add(name);
        }

        private void ofStep(MeasuredStep step) {
            DecodedResult load = step.load();
            if (!step.record().isDone()) {
                Remark reason = step.reason();
                String why = reason == null ? "" : words.say(Remarks.phrase(reason));
                add("gap." + step.status().name().toLowerCase(Locale.ROOT), why, "", step.id());
            } else if (load != null && !step.profiled()) {
                if (!load.warm() && !doubted.contains(step.id())) {
                    add("gap.unstable", "", "", step.id());
                }
                if (!load.complete()) {
                    add("gap.partial", words.say(Remarks.phrase(new Remark.Given(load.partial()))), "", step.id());
                } else if (load.isDoubtful()
                        ? !doubted.contains(step.id())
                        : !load.validity().equals("valid")) {
                    String why = words.say(Remarks.phrase(load.doubt()));
                    add(load.isDoubtful() ? "gap.doubtful" : "gap.invalid", why, "", step.id());
                }
            }
        }

        private void ofVariant(String variant, String phase) {
            List<MeasuredStep> steps = results.steps(variant, phase);
            if (steps.isEmpty()) {
                add("gap.never", "", phase, variant);
                return;
            }
            if (steps.stream().allMatch(step -> step.load() == null)) {
                return; // reported for each step
            }
            if (results.steps().stream().anyMatch(step -> step.tail() != null)
                    && steps.stream().allMatch(step -> step.tail() == null)) {
                add("gap.tail", "", phase, variant);
            }
            boolean profiled = results.steps().stream().anyMatch(MeasuredStep::profiled)
                    || !results.profiles().isEmpty();
            if (profiled && results.profile(variant, phase).isEmpty()) {
                add("gap.profile", "", phase, variant);
            }
            if (results.steps().stream().anyMatch(Gaps::isSampled)
                    && steps.stream().noneMatch(Gaps::isSampled)) {
                add("gap.samples", "", phase, variant);
            }
        }

        private static boolean isSampled(MeasuredStep step) {
            return !step.samples().samples().isEmpty();
        }
    }
}
