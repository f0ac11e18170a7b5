package kvant.report.page;

import java.util.ArrayList;
import java.util.List;
import kvant.lab.result.DifferenceRecord.Frame;
import kvant.lab.result.PhaseRecord;
import kvant.report.folder.Profile;
import kvant.report.folder.Profile.Difference;
import kvant.report.page.Block.Cell;
import kvant.report.verdict.Verdict;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;

/// Flame graphs beside each other, and the frames in which they differ.
final class ProfileSection {

    private static final int SHOWN = 12;

    private ProfileSection() {}

    static void write(Writer to) {
        to.heading(2, "profiles", to.get("profiles.title"));
        List<Profile> profiles = to.results().profiles();
        if (profiles.isEmpty() && to.results().differences().isEmpty()) {
            to.text(to.get("profiles.none"));
            return;
        }
        to.note(to.get("profiles.note"));
        to.note(to.get(to.results().graphsLeftOut() ? "profiles.left" : "profiles.links"));
        List<String> events = Gaps.events(profiles);
        for (PhaseRecord phase : to.results().phases()) {
            List<Profile> ofPhase = profiles.stream()
                    .filter(one -> one.phase().equals(phase.name()))
                    .toList();
            table(to, ofPhase, events);
            for (String event : events) {
                flames(to, ofPhase, event);
            }
            to.results().differences().stream()
                    .filter(one -> one.phase().equals(phase.name()))
                    .forEach(one -> difference(to, one));
        }
    }

    /// Flame graphs of the CPU of both sides of a verdict, and of their difference, where they were taken.
    static List<Cell> links(Writer to, Verdict verdict) {
        List<Cell> links = new ArrayList<>();
        for (String variant : List.of(verdict.a(), verdict.b())) {
            to.results()
                    .profile(variant, verdict.phase())
                    .ifPresent(profile -> profile.events().stream()
                            .filter(one ->
                                    one.event().equals("cpu") && !one.html().isEmpty())
                            .forEach(one -> links.add(Cell.link(
                                    to.say(Phrase.of("profiles.flame").with("variant", variant)),
                                    profile.folder() + "/" + one.html()))));
        }
        to.results()
                .difference(verdict.a(), verdict.b(), verdict.phase(), "cpu")
                .filter(one -> !one.html().isEmpty())
                .ifPresent(one -> links.add(Cell.link(to.get("profiles.flameDifference"), one.html())));
        return links;
    }

    private static void table(Writer to, List<Profile> profiles, List<String> events) {
        List<List<Cell>> rows = new ArrayList<>();
        for (Profile profile : profiles) {
            List<Cell> row = new ArrayList<>(List.of(Cell.text(profile.phase()), Cell.text(profile.variant())));
            for (String event : events) {
                row.add(profile.events().stream()
                        .filter(one -> one.event().equals(event))
                        .findFirst()
                        .map(one -> cell(to, profile, one))
                        .orElse(Cell.text(Numbers.NONE)));
            }
            rows.add(row);
        }
        List<String> head = new ArrayList<>(List.of(to.get("column.phase"), to.get("column.variant")));
        events.forEach(event -> head.add(to.words().getOr("profile." + event, event)));
        to.table(head, rows);
    }

    private static Cell cell(Writer to, Profile profile, Profile.Event event) {
        String samples = to.say(Phrase.of("profiles.samples").counted(event.samples()));
        String text = event.engine().isEmpty() ? samples : samples + ", " + event.engine();
        if (!event.html().isEmpty()) {
            return Cell.link(text, profile.folder() + "/" + event.html());
        }
        return Cell.text(to.results().graphsLeftOut() ? text : text + " " + to.get("profiles.noGraph"));
    }

    private static void flames(Writer to, List<Profile> profiles, String event) {
        List<Cell> links = new ArrayList<>();
        for (Profile profile : profiles) {
            for (Profile.Event one : profile.events()) {
                if (one.event().equals(event) && !one.html().isEmpty()) {
                    links.add(Cell.link(profile.variant(), profile.folder() + "/" + one.html()));
                }
            }
        }
        if (links.size() > 1) {
            String button = to.say(Phrase.of("profiles.beside")
                    .with("event", to.words().getOr("profile." + event, event))
                    .with("phase", profiles.getFirst().phase()));
            to.add(new Block.Flames(button, links));
        }
    }

    private static void difference(Writer to, Difference difference) {
        String title = to.say(Phrase.of("profiles.difference")
                .with("a", difference.a())
                .with("b", difference.b())
                .with("phase", difference.phase())
                .with("event", to.words().getOr("profile." + difference.event(), difference.event())));
        List<List<Cell>> rows = new ArrayList<>();
        for (Frame change : difference.frames().stream().limit(SHOWN).toList()) {
            rows.add(List.of(
                    Cell.text(change.frame()),
                    Cell.number(to.words().numbers().percent(change.a(), 1)),
                    Cell.number(to.words().numbers().percent(change.b(), 1)),
                    Cell.number((change.delta() > 0 ? "+" : "")
                            + to.say(Phrase.of("value.points")
                                    .with("points", to.words().numbers().fixed(100 * change.delta(), 1))))));
        }
        Writer aside = to.aside();
        aside.table(List.of(to.get("profiles.frame"), difference.a(), difference.b(), to.get("profiles.delta")), rows);
        if (difference.frames().size() > SHOWN) {
            aside.note(to.say(
                    Phrase.of("profiles.more").counted(difference.frames().size() - SHOWN)));
        }
        if (!difference.html().isEmpty()) {
            aside.add(new Block.Flames("", List.of(Cell.link(to.get("profiles.differenceGraph"), difference.html()))));
        }
        to.add(new Block.Folded(title, aside.blocks()));
    }
}
