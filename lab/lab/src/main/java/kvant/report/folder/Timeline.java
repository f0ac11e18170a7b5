package kvant.report.folder;

import java.util.List;
import kvant.lab.result.SamplesRecord;
import kvant.lab.result.SamplesRecord.Event;
import kvant.lab.result.SamplesRecord.Sample;

/// What the served process did during a step, from the start of the measured time.
public record Timeline(List<Sample> samples, List<Event> events) {

    static final Timeline EMPTY = new Timeline(List.of(), List.of());

    private static final int MOST = 100_000;

    static Timeline of(SamplesRecord record) {
        return new Timeline(
                record.typed().stream().limit(MOST).toList(),
                record.events().stream().limit(MOST).map(Timeline::forward).toList());
    }

    private static Event forward(Event event) {
        return event.toNanos() >= event.fromNanos()
                ? event
                : new Event(event.kind(), event.fromNanos(), event.fromNanos(), event.detail());
    }
}
