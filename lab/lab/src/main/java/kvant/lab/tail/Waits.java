package kvant.lab.tail;

/// When a node made its requests wait.
///
/// @param gc the JVM was stopped for a collection
/// @param safepoint it was stopped, or on its way to a stop
/// @param stall writes were held back
/// @param sync the commit thread waited for the disk
/// @param logChange the commit thread ended a log and began the next
record Waits(Spans gc, Spans safepoint, Spans stall, Spans sync, Spans logChange) {

    static final Waits NONE = new Waits(Spans.NONE, Spans.NONE, Spans.NONE, Spans.NONE, Spans.NONE);

    /// The same, with each moment in the first of the spans that has it.
    Waits disjoint() {
        Spans pauses = gc.and(safepoint);
        Spans held = pauses.and(stall);
        return new Waits(
                gc,
                safepoint.without(gc),
                stall.without(pauses),
                sync.without(held),
                logChange.without(held.and(sync)));
    }
}
