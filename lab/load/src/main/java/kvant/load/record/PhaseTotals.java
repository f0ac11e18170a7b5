package kvant.load.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.load.workload.Operation;
import org.HdrHistogram.Histogram;

/// What all loops recorded of one phase: totals, windows, and blocks of windows.
///
/// Blocks are what confidence intervals are made of: whole histograms of successive stretches of time. There are at
/// most [#MOST_BLOCKS]; when there are more, neighbours are merged, so that an hour takes no more room than a minute.
///
/// Owned by the thread that collects.
public final class PhaseTotals {

    static final int MOST_BLOCKS = 60;

    // What is recorded, by its place; operations follow.
    private static final int RESPONSE = 0;
    private static final int SERVICE = 1;
    private static final int LAG = 2;
    private static final int PUNCTUAL = 3;
    private static final int ERRORS = 4;
    private static final int REFUSED = 5;
    private static final int FIRST_OPERATION = 6;
    static final int COUNT = FIRST_OPERATION + Operation.COUNT;

    private final Histogram[] all = new Histogram[COUNT];

    // Of the window that is being filled.
    private final Histogram window = empty();
    private final Histogram windowService = empty();
    private final Histogram windowLag = empty();

    private final List<Window> windows = new ArrayList<>();
    private final List<Histogram> blocks = new ArrayList<>();
    private int windowsPerBlock = 1;
    private int windowsInLastBlock;
    private long errorsBefore;
    private long answeredBefore;
    private long stolen;

    public PhaseTotals() {
        Arrays.setAll(all, _ -> empty());
    }

    private static Histogram empty() {
        return new Histogram(PhaseRecorder.DIGITS);
    }

    /// Adds what one loop recorded in an interval.
    ///
    /// @param what its place among the recorders of a phase
    void add(int what, Histogram interval) {
        if (what == RESPONSE) {
            window.add(interval); // until that is closed
            return;
        }
        all[what].add(interval);
        if (what == SERVICE) {
            windowService.add(interval);
        } else if (what == LAG) {
            windowLag.add(interval);
        }
    }

    /// Processor time was taken away during the window that is being filled.
    public void stolen(long nanos) {
        stolen += nanos;
    }

    /// Closes the window that the recorders were drained into.
    ///
    /// @param fromNanos since the start of the phase
    /// @param whole whether it has the full length; a last, shorter one is no block
    /// @param soFar since the start of the phase
    public Window closeWindow(long fromNanos, long lengthNanos, RequestCounts soFar, boolean whole) {
        long errors = soFar.errors() - errorsBefore;
        long answered = soFar.answeredCount() - answeredBefore;
        Window closed = new Window(fromNanos, lengthNanos, errors, answered, stolen, window, windowService, windowLag);
        stolen = 0;
        errorsBefore += errors;
        answeredBefore += answered;
        all[RESPONSE].add(window);
        windows.add(closed);
        addToBlocks(window, whole);
        window.reset();
        windowService.reset();
        windowLag.reset();
        return closed;
    }

    /// Adds what was recorded afterwards, in a run that counts as a part of the same.
    ///
    /// @param atNanos where that begins, since the start of the phase
    public void append(PhaseTotals next, long atNanos) {
        for (int i = 0; i < COUNT; i++) {
            all[i].add(next.all[i]);
        }
        next.windows.forEach(one -> windows.add(one.later(atNanos)));
        next.blocks.forEach(one -> addToBlocks(one, true));
    }

    private void addToBlocks(Histogram more, boolean whole) {
        boolean join = !blocks.isEmpty() && (windowsInLastBlock < windowsPerBlock || !whole);
        if (join) {
            blocks.getLast().add(more);
            windowsInLastBlock++;
            return;
        }
        if (blocks.size() == MOST_BLOCKS) {
            for (int i = 0; i < MOST_BLOCKS / 2; i++) {
                blocks.get(i).add(blocks.remove(i + 1));
            }
            windowsPerBlock *= 2;
        }
        blocks.add(more.copy());
        windowsInLastBlock = 1;
    }

    /// The response times of the window that is being filled.
    public Histogram window() {
        return window;
    }

    /// From the intended time; every request, those without an answer too.
    public Histogram response() {
        return all[RESPONSE];
    }

    /// From the actual time; answered requests.
    public Histogram service() {
        return all[SERVICE];
    }

    public Histogram lag() {
        return all[LAG];
    }

    /// [#response()] without what the generator sent late, if the server had answered as fast a moment earlier.
    public Histogram punctual() {
        return all[PUNCTUAL];
    }

    /// The part of [#response()] that did not get what it asked for.
    public Histogram errors() {
        return all[ERRORS];
    }

    /// From the actual time; requests that were answered with something else than what they asked for.
    public Histogram refused() {
        return all[REFUSED];
    }

    /// The rest of [#response()]: from the intended time, requests that got what they asked for.
    public Histogram acceptedResponse() {
        return without(response(), errors());
    }

    /// The rest of [#service()]: from the actual time, requests that got what they asked for. A closed loop sends a
    /// request when it is due, and has no service times apart.
    public Histogram acceptedService() {
        return service().getTotalCount() == 0 ? acceptedResponse() : without(service(), refused());
    }

    private static Histogram without(Histogram all, Histogram some) {
        Histogram rest = all.copy();
        rest.subtract(some);
        return rest;
    }

    public Histogram operation(Operation operation) {
        return all[FIRST_OPERATION + operation.ordinal()];
    }

    public List<Window> windows() {
        return windows;
    }

    public List<Histogram> blocks() {
        return blocks;
    }
}
