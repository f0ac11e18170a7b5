package kvant.lab.study.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.lab.study.folder.LoadResult;
import kvant.lab.study.folder.Phase;
import kvant.lab.study.folder.Profile;
import kvant.lab.study.folder.Profile.Missing;
import kvant.lab.study.folder.Results;
import kvant.lab.study.folder.Step;
import kvant.lab.study.folder.Variant;
import kvant.lab.study.verdict.Doubt;
import kvant.lab.study.words.Phrase;
import kvant.lab.study.words.Words;

/// What a reader would look for and not find, with the reason where there is one. What has the same
/// reason stands together.
final class Gaps {

    private record Kind(String key, String why, String phase) {}

    private final Results results;
    private final Words words;
    private final Map<Kind, List<String>> gaps = new LinkedHashMap<>();

    private Gaps(Results results, Words words) {
        this.results = results;
        this.words = words;
    }

    static List<Missing> of(Results results, Words words) {
        Gaps found = new Gaps(results, words);
        results.steps().forEach(found::ofStep);
        for (Phase phase : results.phases()) {
            for (Variant variant : results.variants()) {
                found.ofVariant(variant.name(), phase.name());
            }
        }
        List<Missing> said = new ArrayList<>(results.missing());
        found.gaps.forEach((kind, names) -> {
            Phrase phrase =
                    Phrase.of(kind.key).with(kind.phase.isEmpty() ? "steps" : "variants", String.join(", ", names));
            said.add(
                    new Missing(words.say(kind.phase.isEmpty() ? phrase : phrase.with("phase", kind.phase)), kind.why));
        });
        return said.stream().distinct().toList();
    }

    private void add(String key, String why, String phase, String name) {
        gaps.computeIfAbsent(new Kind(key, why, phase), _ -> new ArrayList<>()).add(name);
    }

    private void ofStep(Step step) {
        LoadResult load = step.load();
        if (!step.status().equals("done")) {
            String status = switch (step.status()) {
                case "failed", "skipped" -> step.status();
                default -> "planned";
            };
            add("gap." + status, step.reason(), "", step.id());
        } else if (load != null && !step.profiled()) {
            if (!load.warm()) {
                add("gap.unstable", "", "", step.id());
            }
            if (!load.complete()) {
                add("gap.partial", load.partial(), "", step.id());
            } else if (load.isDoubtful()) {
                add("gap.doubtful", words.say(Doubt.reason(load)), "", step.id());
            } else if (!load.validity().equals("valid")) {
                add("gap.invalid", words.say(Doubt.reason(load)), "", step.id());
            }
        }
    }

    private void ofVariant(String variant, String phase) {
        List<Step> steps = results.steps(variant, phase);
        if (steps.isEmpty()) {
            add("gap.never", "", phase, variant);
            return;
        }
        if (steps.stream().allMatch(step -> step.load() == null)) {
            return; // said for each step
        }
        if (results.steps().stream().anyMatch(step -> step.tail() != null)
                && steps.stream().allMatch(step -> step.tail() == null)) {
            add("gap.tail", "", phase, variant);
        }
        boolean profiled = results.steps().stream().anyMatch(Step::profiled)
                || !results.profiles().isEmpty();
        if (profiled && results.profile(variant, phase).isEmpty()) {
            add("gap.profile", "", phase, variant);
        }
        if (results.steps().stream().anyMatch(Gaps::isSampled) && steps.stream().noneMatch(Gaps::isSampled)) {
            add("gap.samples", "", phase, variant);
        }
    }

    private static boolean isSampled(Step step) {
        return !step.timeline().samples().isEmpty();
    }

    /// Names of events that have a profile.
    static List<String> events(List<Profile> profiles) {
        return profiles.stream()
                .flatMap(profile -> profile.events().stream())
                .map(Profile.Event::event)
                .distinct()
                .toList();
    }
}
