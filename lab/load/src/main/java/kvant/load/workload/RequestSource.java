package kvant.load.workload;

import kvant.load.dialect.RequestEncoder;
import kvant.load.keys.KeyChooser;
import kvant.load.keys.SplitMix64;

/// Draws the requests of one thread and encodes them. The drawn request is stored in this object until the next draw,
/// so that requests need no objects. A workload never ends; a prefill overrides the drawing.
///
/// Owned by one loop. The sequence depends only on the seed, the number of the thread and the number of threads; with
/// `latest` also on the times of acknowledgements.
public class RequestSource {

    // Constant.
    private final Workload workload;
    private final RequestEncoder encoder;
    private final SplitMix64 random;
    private final KeyChooser keys;
    private final double upToUpdate;
    private final double upToInsert;
    private final double upToDelete;
    private final double upToScan;
    private final DistinctKeys distinct;
    private final int mostBytes;

    // Owned by the loop: the drawn request.
    private Operation operation = Operation.PLAIN;
    private long key;
    private boolean missing;
    private boolean isNew;
    private int valueBytes;
    private int limit;

    /// @param firstInsert number of the first key that the run inserts
    public RequestSource(
            Workload workload, RequestEncoder encoder, long firstInsert, int thread, int threads, long seed) {
        this.workload = workload;
        this.encoder = encoder;
        this.random = SplitMix64.of(seed, thread);
        this.keys = new KeyChooser(workload.keyPlan(), workload.keys(), firstInsert, thread, threads, random);
        this.distinct = new DistinctKeys(workload.keys());
        this.mostBytes = encoder.mostBytes(workload.values().most());
        Mix mix = workload.mix();
        upToUpdate = mix.get() + mix.update();
        upToInsert = upToUpdate + mix.insert();
        upToDelete = upToInsert + mix.delete();
        upToScan = upToDelete + mix.scan();
    }

    /// Draws the next request.
    ///
    /// @return false if there is none now
    public boolean draw() {
        if (workload.plain()) {
            return true;
        }
        double chosen = random.nextDouble();
        missing = false;
        isNew = false;
        if (chosen < workload.mix().get()) {
            operation = Operation.GET;
            key = keys.next();
            missing = workload.hits() < 1 && random.nextDouble() >= workload.hits();
        } else if (chosen < upToUpdate) {
            drawPut(keys.next());
        } else if (chosen < upToInsert) {
            drawPut(keys.insert());
            isNew = true;
        } else if (chosen < upToDelete) {
            operation = Operation.DELETE;
            key = keys.next();
        } else if (chosen < upToScan) {
            operation = Operation.SCAN;
            key = keys.next();
            limit = 1 + (int) random.below(workload.mostScanned());
        } else {
            operation = Operation.RMW;
            key = keys.next();
        }
        distinct.add(key);
        return true;
    }

    /// Sets the drawn request to a put of this key.
    public final void drawPut(long chosen) {
        operation = Operation.PUT;
        key = chosen;
        missing = false;
        isNew = false;
        valueBytes = workload.values().next(random);
    }

    public final Operation operation() {
        return operation;
    }

    public final long key() {
        return key;
    }

    /// True if the key was chosen as a missing one.
    public final boolean isMissing() {
        return missing;
    }

    /// True if it puts a new key.
    public final boolean isNew() {
        return isNew;
    }

    /// Reports the outcome of a request: after the acknowledged put of a new key, later draws may choose it.
    ///
    /// @param wasNew whether it was a put of a new key
    public void settled(boolean wasNew, long settled, boolean good) {
        if (good && wasNew) {
            keys.stored(settled);
        }
    }

    /// True if there are no more requests, and none is in flight.
    public boolean isExhausted() {
        return false;
    }

    public final DistinctKeys distinct() {
        return distinct;
    }

    public final long inserted() {
        return keys.inserted();
    }

    /// Maximum length of a request.
    public final int mostBytes() {
        return mostBytes;
    }

    /// Writes the drawn request and returns the position after it.
    public final int write(byte[] into, int at) {
        return switch (operation) {
            case PLAIN, GET, RMW -> encoder.get(key, missing, into, at);
            case DELETE -> encoder.delete(key, into, at);
            case PUT -> encoder.put(key, valueBytes, into, at);
            case SCAN -> encoder.scan(key, limit, into, at);
        };
    }
}
