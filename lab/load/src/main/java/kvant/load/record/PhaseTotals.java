package kvant.load.record;

import java.util.ArrayList;
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

    private final Histogram response = empty();
    private final Histogram service = empty();
    private final Histogram lag = empty();
    private final Histogram punctual = empty();
    private final Histogram errors = empty();
    private final Histogram refused = empty();
    private final Histogram[] operations = new Histogram[Operation.COUNT];

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
        for (int i = 0; i < operations.length; i++) {
            operations[i] = empty();
        }
    }

    private static Histogram empty() {
        return new Histogram(PhaseRecorder.DIGITS);
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
        response.add(window);
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
        response.add(next.response);
        service.add(next.service);
        lag.add(next.lag);
        punctual.add(next.punctual);
        errors.add(next.errors);
        refused.add(next.refused);
        for (int i = 0; i < operations.length; i++) {
            operations[i].add(next.operations[i]);
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

    Histogram windowService() {
        return windowService;
    }

    Histogram windowLag() {
        return windowLag;
    }

    /// From the intended time; every request, those without an answer too.
    public Histogram response() {
        return response;
    }

    /// From the actual time; answered requests.
    public Histogram service() {
        return service;
    }

    public Histogram lag() {
        return lag;
    }

    /// [#response()] without what the generator sent late, if the server had answered as fast a moment earlier.
    public Histogram punctual() {
        return punctual;
    }

    /// The part of [#response()] that did not get what it asked for.
    public Histogram errors() {
        return errors;
    }

    /// From the actual time; requests that were answered with something else than what they asked for.
    public Histogram refused() {
        return refused;
    }

    /// The rest of [#response()]: from the intended time, requests that got what they asked for.
    public Histogram acceptedResponse() {
        return without(response, errors);
    }

    /// The rest of [#service()]: from the actual time, requests that got what they asked for. A closed loop sends a
    /// request when it is due, and has no service times apart.
    public Histogram acceptedService() {
        return service.getTotalCount() == 0 ? acceptedResponse() : without(service, refused);
    }

    private static Histogram without(Histogram all, Histogram some) {
        Histogram rest = all.copy();
        rest.subtract(some);
        return rest;
    }

    public Histogram operation(Operation operation) {
        return operations[operation.ordinal()];
    }

    public List<Window> windows() {
        return windows;
    }

    public List<Histogram> blocks() {
        return blocks;
    }
}
