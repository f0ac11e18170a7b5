package kvant.report.folder;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import kvant.lab.result.DifferenceRecord;
import kvant.lab.result.ProfileRecord;
import org.jspecify.annotations.Nullable;

/// The profiles of one variant under one load.
///
/// @param folder relative to the result folder
public record Profile(String variant, String phase, String folder, List<Event> events) {

    /// One kind of profile; `slow` is that of slow requests only.
    ///
    /// @param html file name of the flame graph in the folder, or empty
    public record Event(String event, String engine, long samples, String html, List<ProfileRecord.Frame> top) {}

    /// A comparison of two profiles.
    ///
    /// @param html flame graph relative to the result folder, or empty
    public record Difference(
            String a, String b, String phase, String event, String html, List<DifferenceRecord.Frame> frames) {}

    /// @param graph returns the link target in the report for a file in the record
    static Profile of(String variant, String phase, String folder, ProfileRecord record, UnaryOperator<String> graph) {
        List<Event> events = new ArrayList<>();
        for (ProfileRecord.Event one : record.events()) {
            events.add(new Event(one.event(), one.engine(), one.samples(), graph.apply(one.html()), one.top()));
        }
        ProfileRecord.@Nullable Slow slow = record.slow();
        if (slow != null) {
            events.add(new Event("slow", slow.event(), slow.samples(), graph.apply(slow.html()), List.of()));
        }
        return new Profile(variant, phase, folder, events);
    }

    /// Number of samples of an event, 0 if there is no such profile.
    public long samples(String event) {
        return events.stream()
                .filter(one -> one.event.equals(event))
                .mapToLong(Event::samples)
                .sum();
    }
}
