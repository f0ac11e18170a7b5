package kvant.lab.study.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.lab.study.folder.LoadResult;
import kvant.lab.study.folder.Phase;
import kvant.lab.study.folder.Profile;
import kvant.lab.study.folder.Profile.Missing;
import kvant.lab.study.folder.Results;
import kvant.lab.study.folder.Step;
import kvant.lab.study.folder.Variant;
import kvant.lab.study.words.Phrase;
import kvant.lab.study.words.Words;

/// What a reader would look for and not find, with the reason where there is one.
final class Gaps {

    private Gaps() {}

    static List<Missing> of(Results results, Words words) {
        List<Missing> gaps = new ArrayList<>(results.missing());
        for (Step step : results.steps()) {
            if (!step.status().equals("done")) {
                String status = switch (step.status()) {
                    case "failed", "skipped" -> step.status();
                    default -> "planned";
                };
                gaps.add(new Missing(words.say(Phrase.of("gap." + status).with("step", step.id())), step.reason()));
            } else if (step.load() != null && !step.profiled()) {
                judged(step, step.load(), words, gaps);
            }
        }
        for (Phase phase : results.phases()) {
            for (Variant variant : results.variants()) {
                ofVariant(results, variant.name(), phase.name(), words, gaps);
            }
        }
        return gaps.stream().distinct().toList();
    }

    private static void judged(Step step, LoadResult load, Words words, List<Missing> gaps) {
        if (!load.complete()) {
            gaps.add(new Missing(words.say(Phrase.of("gap.partial").with("step", step.id())), load.partial()));
        } else if (!load.validity().equals("valid")) {
            String grade = load.validity().toLowerCase(Locale.ROOT);
            String key = grade.equals("doubtful") ? "gap.doubtful" : "gap.invalid";
            gaps.add(new Missing(words.say(Phrase.of(key).with("step", step.id())), load.validityReason()));
        }
    }

    private static void ofVariant(Results results, String variant, String phase, Words words, List<Missing> gaps) {
        List<Step> steps = results.steps(variant, phase);
        if (steps.isEmpty()) {
            gaps.add(gap("gap.never", variant, phase, words));
            return;
        }
        if (steps.stream().allMatch(step -> step.load() == null)) {
            return; // said for each step, or by the verdict
        }
        boolean someTail = results.steps().stream().anyMatch(step -> step.tail() != null);
        if (someTail && steps.stream().allMatch(step -> step.tail() == null)) {
            gaps.add(gap("gap.tail", variant, phase, words));
        }
        boolean profiled = results.steps().stream().anyMatch(Step::profiled)
                || !results.profiles().isEmpty();
        if (profiled && results.profile(variant, phase).isEmpty()) {
            gaps.add(gap("gap.profile", variant, phase, words));
        }
        boolean someSamples = results.steps().stream()
                .anyMatch(step -> !step.timeline().samples().isEmpty()
                        || !step.timeline().events().isEmpty());
        if (someSamples
                && steps.stream().allMatch(step -> step.timeline().samples().isEmpty())) {
            gaps.add(gap("gap.samples", variant, phase, words));
        }
    }

    private static Missing gap(String key, String variant, String phase, Words words) {
        return new Missing(words.say(Phrase.of(key).with("variant", variant).with("phase", phase)), "");
    }

    /// Names of events that have a flame graph, over all profiles.
    static List<String> events(List<Profile> profiles) {
        return profiles.stream()
                .flatMap(profile -> profile.events().stream())
                .map(Profile.Event::event)
                .distinct()
                .toList();
    }
}
