package kvant.report.page;

import java.util.ArrayList;
import java.util.List;
import kvant.lab.result.ProfileRecord.DifferenceRecord.Frame;
import kvant.lab.result.RunRecord.PhaseRecord;
import kvant.report.folder.Profile;
import kvant.report.folder.Profile.Difference;
import kvant.report.page.Block.Cell;
import kvant.report.page.Content.Columns;
import kvant.report.verdict.Verdict;
import kvant.report.words.Numbers;
import kvant.report.words.Phrase;

/// Flame graphs in comparison, and the frames in which they differ.
final class ProfileSection {

    private static final int SHOWN = 12;

    private ProfileSection() {}

    static void write(Content to) {
        to.heading(2, "profiles", to.get("profiles.title"));
        List<Profile> profiles = to.results().profiles();
        if (profiles.isEmpty() && to.results().differences().isEmpty()) {
            to.text(to.get("profiles.none"));
            return;
        }
        to.note(to.get("profiles.note"));
        to.note(to.get(to.results().graphsLeftOut() ? "profiles.left" : "profiles.links"));
        List<String> events = events(profiles);
        for (PhaseRecord phase : to.phases()) {
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

    /// Links to CPU flame graphs of both sides of a verdict, and to their difference, if available.
    static List<Cell> links(Content to, Verdict verdict) {
        List<Cell> links = new ArrayList<>();
        for (String variant : List.of(verdict.a(), verdict.b())) {
            to.results()
                    .profile(variant, verdict.phase())
                    .ifPresent(profile -> profile.events().stream()
                            .filter(one ->
                                    one.event().equals("cpu") && !one.html().isEmpty())
                            .forEach(one ->
                                    links.add(Cell.link(to.say("profiles.flame", "variant", variant), one.html()))));
        }
        to.results()
                .difference(verdict.a(), verdict.b(), verdict.phase(), "cpu")
                .filter(one -> !one.html().isEmpty())
                .ifPresent(one -> links.add(Cell.link(to.get("profiles.flameDifference"), one.html())));
        return links;
    }

    private static void table(Content to, List<Profile> profiles, List<String> events) {
        Columns<Profile> columns =
                new Columns<Profile>(to).text("column.phase", Profile::phase).text("column.variant", Profile::variant);
        for (String event : events) {
            columns.column(
                    name(to, event),
                    profile -> profile.events().stream()
                            .filter(one -> one.event().equals(event))
                            .findFirst()
                            .map(one -> cell(to, profile, one))
                            .orElse(Cell.text(Numbers.NONE)));
        }
        columns.write(profiles);
    }

    private static String name(Content to, String event) {
        return to.words().getOr("profile." + event, event);
    }

    private static Cell cell(Content to, Profile profile, Profile.Event event) {
        String samples = to.say("profiles.samples", "n", event.samples());
        String text = event.engine().isEmpty() ? samples : samples + ", " + event.engine();
        if (!event.html().isEmpty()) {
            return Cell.link(text, event.html());
        }
        return Cell.text(to.results().graphsLeftOut() ? text : text + " " + to.get("profiles.noGraph"));
    }

    private static void flames(Content to, List<Profile> profiles, String event) {
        List<Cell> links = new ArrayList<>();
        for (Profile profile : profiles) {
            for (Profile.Event one : profile.events()) {
                if (one.event().equals(event) && !one.html().isEmpty()) {
                    links.add(Cell.link(profile.variant(), one.html()));
                }
            }
        }
        if (links.size() > 1) {
            String button = to.say(
                    "profiles.beside",
                    "event",
                    name(to, event),
                    "phase",
                    profiles.getFirst().phase());
            to.add(new Block.Flames(button, links));
        }
    }

    private static void difference(Content to, Difference difference) {
        String title = to.say(Phrase.of("profiles.difference")
                .with("a", difference.a())
                .with("b", difference.b())
                .with("phase", difference.phase())
                .with("event", name(to, difference.event())));
        Numbers numbers = to.numbers();
        Content aside = to.aside();
        new Columns<Frame>(aside)
                .text("profiles.frame", Frame::frame)
                .column(difference.a(), frame -> Cell.number(numbers.percent(frame.a(), 1)))
                .column(difference.b(), frame -> Cell.number(numbers.percent(frame.b(), 1)))
                .number("profiles.delta", frame -> delta(to, frame))
                .write(difference.frames().stream().limit(SHOWN).toList());
        if (difference.frames().size() > SHOWN) {
            aside.note(
                    to.say(Phrase.of("profiles.more", "n", difference.frames().size() - SHOWN)));
        }
        if (!difference.html().isEmpty()) {
            aside.add(new Block.Flames("", List.of(Cell.link(to.get("profiles.differenceGraph"), difference.html()))));
        }
        to.add(new Block.Folded(title, aside.blocks()));
    }

    private static String delta(Content to, Frame frame) {
        String points = to.numbers().fixed(100 * frame.delta(), 1);
        return (frame.delta() > 0 ? "+" : "") + to.say("value.points", "points", points);
    }

    /// Names of the events with a profile.
    private static List<String> events(List<Profile> profiles) {
        return profiles.stream()
                .flatMap(profile -> profile.events().stream())
                .map(Profile.Event::event)
                .distinct()
                .toList();
    }
}
