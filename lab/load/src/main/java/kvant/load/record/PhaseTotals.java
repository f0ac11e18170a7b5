package kvant.load.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.load.record.RequestCounts.Count;
import kvant.load.workload.Operation;
import org.HdrHistogram.Histogram;

/// The records of all loops for one phase: totals, windows, and blocks of windows.
///
/// Confidence intervals are computed from blocks: complete histograms of successive stretches of time. There are at
/// most [#MOST_BLOCKS]; beyond that neighbours are merged, so that an hour takes no more memory than a minute.
///
/// Belongs to the collecting thread.
public final class PhaseTotals {

    static final int MOST_BLOCKS = 60;

    // Indices of the recorded figures; operations follow.
    static final int RESPONSE = 0;
    static final int SERVICE = 1;
    static final int LAG = 2;
    static final int PUNCTUAL = 3;
    static final int ERRORS = 4;
    static final int REFUSED = 5;
    static final int FIRST_OPERATION = 6;
    static final int COUNT = FIRST_OPERATION + Operation.COUNT;

    private final Histogram[] all = new Histogram[COUNT];

    // Histogram of the current window.
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

    /// Adds the records of one loop for an interval.
    ///
    /// @param what index among the recorders of a phase
    void add(int what, Histogram interval) {
        if (what == RESPONSE) {
            window.add(interval); // until the window is closed
            return;
        }
        all[what].add(interval);
        if (what == SERVICE) {
            windowService.add(interval);
        } else if (what == LAG) {
            windowLag.add(interval);
        }
    }

    /// Notes processor time stolen during the current window.
    public void stolen(long nanos) {
        stolen += nanos;
    }

    /// Closes the current window.
    ///
    /// @param fromNanos since the start of the phase
    /// @param whole whether it has the full length; a shorter last one does not form a block
    /// @param soFar since the start of the phase
    public Window closeWindow(long fromNanos, long lengthNanos, RequestCounts soFar, boolean whole) {
        long errors = soFar.errors() - errorsBefore;
        long answered = soFar.of(Count.ANSWERED) - answeredBefore;
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

    /// Appends the records of a later run that counts as part of the same measurement.
    ///
    /// @param atNanos its start, since the start of the phase
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

    /// The response times of the current window.
    public Histogram window() {
        return window;
    }

    /// Response times, from the intended time; all requests, including those without an answer.
    public Histogram response() {
        return all[RESPONSE];
    }

    /// Service times, from the actual time of sending; answered requests.
    public Histogram service() {
        return all[SERVICE];
    }

    public Histogram lag() {
        return all[LAG];
    }

    /// [#response()] minus the generator's lateness, assuming the same speed of the server a little earlier.
    public Histogram punctual() {
        return all[PUNCTUAL];
    }

    /// The part of [#response()] for failed requests.
    public Histogram errors() {
        return all[ERRORS];
    }

    /// From the actual time of sending; answered requests with an unwanted answer.
    public Histogram refused() {
        return all[REFUSED];
    }

    /// The rest of [#response()]: from the intended time, successful requests.
    public Histogram acceptedResponse() {
        return without(response(), errors());
    }

    /// The rest of [#service()]: from the actual time of sending, successful requests. A closed loop sends a request
    /// when it is due, and has no separate service times.
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
