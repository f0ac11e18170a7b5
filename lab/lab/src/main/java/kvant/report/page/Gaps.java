package kvant.report.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lab.result.Missing;
import kvant.lab.result.PhaseRecord;
import kvant.lab.result.Remark;
import kvant.lab.result.VariantRecord;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.MeasuredStep;
import kvant.report.folder.Results;
import kvant.report.sentence.Remarks;
import kvant.report.verdict.Answer;
import kvant.report.verdict.Caveat;
import kvant.report.words.Phrase;
import kvant.report.words.Words;

/// Missing contents of a report, with the reasons if known. Gaps with the same reason are grouped. A doubt about a step
/// that already counts against a verdict is not listed here.
final class Gaps {

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
                    Phrase.of(kind.key).with(kind.phase.isEmpty() ? "steps" : "variants", String.join(", ", names));
            said.add(new Gap(words.say(kind.phase.isEmpty() ? phrase : phrase.with("phase", kind.phase)), kind.why));
        });
        return said.stream().distinct().toList();
    }

    private void add(String key, String why, String phase, String name) {
        gaps.computeIfAbsent(new Kind(key, why, phase), _ -> new ArrayList<>()).add(name);
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
        if (results.steps().stream().anyMatch(Gaps::isSampled) && steps.stream().noneMatch(Gaps::isSampled)) {
            add("gap.samples", "", phase, variant);
        }
    }

    private static boolean isSampled(MeasuredStep step) {
        return !step.samples().samples().isEmpty();
    }
}
