package kvant.lab.study.folder;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// The profiles of one variant under one load.
///
/// @param folder relative to that of the results
public record Profile(String variant, String phase, String folder, List<Event> events, List<Missing> missing) {

    /// One kind of profile; `slow` is that of slow requests alone.
    ///
    /// @param html file name of the flame graph in the folder, or empty
    public record Event(String event, String engine, long samples, String html, List<Frame> top) {

        Event withoutGraph() {
            return new Event(event, engine, samples, "", top);
        }
    }

    /// Shares of all samples.
    public record Frame(String frame, double self, double total) {}

    /// Something that is not there, and why.
    public record Missing(String what, String why) {

        static List<Missing> of(Document json) {
            return json.list().stream()
                    .map(one -> new Missing(one.at("what").told(), one.at("why").told()))
                    .toList();
        }
    }

    /// How much more of its time one variant spends in a frame than another.
    ///
    /// @param a share of all samples of variant `a`
    public record Change(String frame, double a, double b) {

        public double delta() {
            return b - a;
        }
    }

    /// Two profiles beside each other.
    ///
    /// @param html flame graph relative to the folder of the results, or empty
    public record Difference(String a, String b, String phase, String event, String html, List<Change> changes) {

        Difference withGraph(Predicate<String> wanted) {
            return html.isEmpty() || wanted.test(html) ? this : new Difference(a, b, phase, event, "", changes);
        }
    }

    Profile withGraphs(Predicate<String> wanted) {
        List<Event> kept = events.stream()
                .map(one -> one.html().isEmpty() || wanted.test(folder + "/" + one.html()) ? one : one.withoutGraph())
                .toList();
        return new Profile(variant, phase, folder, kept, missing);
    }

    static Profile of(String variant, String phase, String folder, Document json) {
        List<Event> events = new ArrayList<>();
        for (Document one : json.at("events").list()) {
            List<Frame> top = one.at("top").list().stream()
                    .map(frame -> new Frame(
                            frame.at("frame").text(),
                            frame.at("self").number(),
                            frame.at("total").number()))
                    .toList();
            events.add(new Event(
                    one.at("event").text(),
                    one.at("engine").text(),
                    one.at("samples").whole(),
                    one.at("html").text(),
                    top));
        }
        Document slow = json.at("slow");
        if (!slow.isMissing()) {
            events.add(new Event(
                    "slow",
                    slow.at("event").text(),
                    slow.at("samples").whole(),
                    slow.at("html").text(),
                    List.of()));
        }
        return new Profile(variant, phase, folder, events, Missing.of(json.at("missing")));
    }

    /// Samples of an event, 0 where there are none.
    public long samples(String event) {
        return events.stream()
                .filter(one -> one.event.equals(event))
                .mapToLong(Event::samples)
                .sum();
    }
}
