package kvant.lab.study.folder;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.lab.LabException;

/// Finds the profiles of a run by the names of its variants and phases, which is how they are filed.
final class ProfileFolder {

    private static final List<String> EVENTS = List.of("cpu", "alloc", "lock", "wall");
    private static final int MOST_CHANGES = 50;

    private final Path folder;
    private final List<Profile.Missing> missing;
    private final List<Profile> profiles = new ArrayList<>();
    private final List<Profile.Difference> differences = new ArrayList<>();

    ProfileFolder(Path folder, List<Variant> variants, List<Phase> phases, List<Profile.Missing> missing) {
        this.folder = folder;
        this.missing = missing;
        for (Phase phase : phases) {
            for (Variant a : variants) {
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

    /// A name that cannot lead out of its folder.
    private static boolean isName(String name) {
        return name.matches("[A-Za-z0-9_][A-Za-z0-9._-]*");
    }

    private void readProfile(String variant, String phase) {
        String name = "profiles/" + variant + "-" + phase;
        Path file = folder.resolve(name).resolve("profile.json");
        if (!Files.isRegularFile(file)) {
            return;
        }
        try {
            Profile profile = Profile.of(variant, phase, name, Document.read(file));
            List<Profile.Event> events = new ArrayList<>();
            for (Profile.Event event : profile.events()) {
                boolean there = isName(event.html())
                        && Files.exists(folder.resolve(name).resolve(event.html()));
                events.add(there ? event : event.withoutGraph());
            }
            profiles.add(new Profile(variant, phase, name, events, profile.missing()));
            for (Profile.Missing one : profile.missing()) {
                missing.add(new Profile.Missing(name + ": " + one.what(), one.why()));
            }
        } catch (LabException e) {
            unreadable(name + "/profile.json", e);
        }
    }

    private void readDifferences(String a, String b, String phase) {
        for (String event : EVENTS) {
            String name = "profiles/diff-" + a + "-" + b + "-" + phase + "-" + event;
            Path file = folder.resolve(name + ".json");
            if (Files.isRegularFile(file)) {
                try {
                    List<Profile.Change> changes = Document.read(file).at("frames").list().stream()
                            .limit(MOST_CHANGES)
                            .map(one -> new Profile.Change(
                                    one.at("frame").text(),
                                    one.at("a").number(),
                                    one.at("b").number()))
                            .filter(one -> Double.isFinite(one.delta()))
                            .toList();
                    String html = Files.exists(folder.resolve(name + ".html")) ? name + ".html" : "";
                    differences.add(new Profile.Difference(a, b, phase, event, html, changes));
                } catch (LabException e) {
                    unreadable(name + ".json", e);
                }
            }
        }
    }

    private void unreadable(String name, LabException why) {
        missing.add(new Profile.Missing(
                name,
                String.valueOf(why.getMessage())
                        .replace(folder + folder.getFileSystem().getSeparator(), "")));
    }
}
