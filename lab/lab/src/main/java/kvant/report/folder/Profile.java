package kvant.report.folder;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import kvant.lab.result.ProfileRecord;
import kvant.lab.result.ProfileRecord.DifferenceRecord;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord.Missing;
import kvant.lab.result.RunRecord.PhaseRecord;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.load.result.RecordJson;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The profiles of one variant under one load.
///
public record Profile(String variant, String phase, List<Event> events) {

    /// One kind of profile; `slow` is that of slow requests only.
    ///
    /// @param html flame graph relative to the result folder, or empty
    public record Event(String event, String engine, long samples, String html) {}

    /// A comparison of two profiles.
    ///
    /// @param html flame graph relative to the result folder, or empty
    public record Difference(
            String a, String b, String phase, String event, String html, List<DifferenceRecord.Frame> frames) {}

    /// Number of samples of an event, 0 if there is no such profile.
    public long samples(String event) {
        return events.stream()
                .filter(one -> one.event.equals(event))
                .mapToLong(Event::samples)
                .sum();
    }

    /// Finds the profiles of a run. They are filed by the names of variants and phases.
    static final class ProfileFolder {

        private static final List<String> EVENTS = List.of("cpu", "alloc", "lock", "wall");
        private static final int MOST_FRAMES = 50;

        private final Path folder;
        private final List<Missing> missing;
        private final boolean graphs;
        private final List<Profile> profiles = new ArrayList<>();
        private final List<Profile.Difference> differences = new ArrayList<>();

        ProfileFolder(
                Path folder,
                List<VariantRecord> variants,
                List<PhaseRecord> phases,
                List<Missing> missing,
                boolean graphs) {
            this.folder = folder;
            this.missing = missing;
            this.graphs = graphs;
            for (PhaseRecord phase : phases) {
                for (VariantRecord a : variants) {
                    if (isName(a.name()) && isName(phase.name())) {
                        readProfile(a.name(), phase.name());
                        variants.stream()
                                .filter(b -> b != a && isName(b.name()))
                                .forEach(b -> readDifferences(a.name(), b.name(), phase.name()));
                    }
                }
            }
        }

        List<Profile> profiles() {
            return profiles;
        }

        List<Profile.Difference> differences() {
            return differences;
        }

        /// True for a name that cannot leave its folder.
        private static boolean isName(String name) {
            return name.matches("[A-Za-z0-9_][A-Za-z0-9._-]*");
        }

        private boolean hasGraph(String name) {
            return graphs && Files.exists(folder.resolve(name));
        }

        private void readProfile(String variant, String phase) {
            String name = "profiles/" + variant + "-" + phase;
            Path file = folder.resolve(name).resolve("profile.json");
            if (!Files.isRegularFile(file)) {
                return;
            }
            try {
                ProfileRecord record = RecordJson.read(file, "a profile", ProfileRecord.class);
                UnaryOperator<String> graph =
                        html -> isName(html) && hasGraph(name + "/" + html) ? name + "/" + html : "";
                List<Event> events = new ArrayList<>();
                record.events()
                        .forEach(one -> events.add(
                                new Event(one.event(), one.engine(), one.samples(), graph.apply(one.html()))));
                ProfileRecord.@Nullable Slow slow = record.slow();
                if (slow != null) {
                    events.add(new Event("slow", slow.event(), slow.samples(), graph.apply(slow.html())));
                }
                profiles.add(new Profile(variant, phase, events));
                for (ProfileRecord.Missing one : record.missing()) {
                    missing.add(new Missing(new Remark.ProfilePart(name, one.what()), one.why()));
                }
            } catch (UserException e) {
                unreadable(name + "/profile.json", e);
            }
        }

        private void readDifferences(String a, String b, String phase) {
            for (String event : EVENTS) {
                String name = "profiles/diff-" + a + "-" + b + "-" + phase + "-" + event;
                Path file = folder.resolve(name + ".json");
                if (Files.isRegularFile(file)) {
                    try {
                        DifferenceRecord record =
                                RecordJson.read(file, "a difference of profiles", DifferenceRecord.class);
                        List<DifferenceRecord.Frame> frames = byThreadGroup(record.frames());
                        String html = hasGraph(name + ".html") ? name + ".html" : "";
                        differences.add(new Profile.Difference(a, b, phase, event, html, frames));
                    } catch (UserException e) {
                        unreadable(name + ".json", e);
                    }
                }
            }
        }

        /// Merges threads into groups: older files list individual threads. Their stacks are distinct, so
        /// shares can be added.
        private static List<DifferenceRecord.Frame> byThreadGroup(List<DifferenceRecord.Frame> frames) {
            Map<String, DifferenceRecord.Frame> groups = new LinkedHashMap<>();
            frames.stream()
                    .filter(one -> Double.isFinite(one.a()) && Double.isFinite(one.b()))
                    .limit(MOST_FRAMES)
                    .map(one -> new DifferenceRecord.Frame(
                            ProfileRecord.threadGroup(one.frame()), one.a(), one.b(), one.delta()))
                    .forEach(one -> groups.merge(
                            one.frame(),
                            one,
                            (a, b) -> new DifferenceRecord.Frame(
                                    a.frame(), a.a() + b.a(), a.b() + b.b(), a.delta() + b.delta())));
            return groups.values().stream()
                    .sorted(Comparator.comparingDouble((DifferenceRecord.Frame one) -> -Math.abs(one.delta())))
                    .toList();
        }

        private void unreadable(String name, UserException why) {
            missing.add(new Missing(new Remark.FileOf(name), ResultFolder.said(folder, why)));
        }
    }
}
