package kvant.report.folder;

import java.util.ArrayList;
import java.util.List;
import kvant.lab.result.DifferenceRecord;
import kvant.lab.result.ProfileRecord;
import org.jspecify.annotations.Nullable;

/// The profiles of one variant under one load.
///
/// @param folder relative to that of the results
public record Profile(String variant, String phase, String folder, List<Event> events) {

    /// One kind of profile; `slow` is that of slow requests alone.
    ///
    /// @param html file name of the flame graph in the folder, or empty
    public record Event(String event, String engine, long samples, String html, List<ProfileRecord.Frame> top) {

        Event withoutGraph() {
            return new Event(event, engine, samples, "", top);
        }
    }

    /// Two profiles beside each other.
    ///
    /// @param html flame graph relative to the folder of the results, or empty
    public record Difference(
            String a, String b, String phase, String event, String html, List<DifferenceRecord.Frame> frames) {

        Difference withoutGraph() {
            return new Difference(a, b, phase, event, "", frames);
        }
    }

    Profile withoutGraphs() {
        return new Profile(
                variant, phase, folder, events.stream().map(Event::withoutGraph).toList());
    }

    static Profile of(String variant, String phase, String folder, ProfileRecord record) {
        List<Event> events = new ArrayList<>();
        for (ProfileRecord.Event one : record.events()) {
            events.add(new Event(one.event(), one.engine(), one.samples(), one.html(), one.top()));
        }
        ProfileRecord.@Nullable Slow slow = record.slow();
        if (slow != null) {
            events.add(new Event("slow", slow.event(), slow.samples(), slow.html(), List.of()));
        }
        return new Profile(variant, phase, folder, events);
    }

    /// Samples of an event, 0 where there are none.
    public long samples(String event) {
        return events.stream()
                .filter(one -> one.event.equals(event))
                .mapToLong(Event::samples)
                .sum();
    }
}
