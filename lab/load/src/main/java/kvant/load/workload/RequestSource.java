package kvant.load.workload;

import kvant.load.http.RequestForm;
import kvant.load.keys.KeyChooser;
import kvant.load.random.SplitMix64;

/// Draws the requests of one thread and writes them as bytes. The drawn request stands in this object until the next
/// one is drawn, so that no request is an object.
///
/// Owned by one loop. The sequence depends on the seed, the number of the thread and the number of threads alone; with
/// `latest` also on when puts were acknowledged.
public final class RequestSource {

    // Constant.
    private final Workload workload;
    private final RequestForms forms;
    private final SplitMix64 random;
    private final KeyChooser keys;
    private final double upToUpdate;
    private final double upToInsert;
    private final double upToDelete;
    private final double upToScan;
    private final DistinctKeys distinct;

    // Owned by the loop: the drawn request.
    private Operation operation = Operation.PLAIN;
    private long key;
    private boolean missing;
    private boolean isNew;
    private int valueBytes;
    private int limit;

    /// @param firstInsert the number of the first key that the run inserts
    public RequestSource(Workload workload, RequestForms forms, long firstInsert, int thread, int threads, long seed) {
        this.workload = workload;
        this.forms = forms;
        this.random = SplitMix64.of(seed, thread);
        this.keys = new KeyChooser(workload.keyPlan(), workload.keys(), firstInsert, thread, threads, random);
        this.distinct = new DistinctKeys(workload.keys());
        Mix mix = workload.mix();
        upToUpdate = mix.get() + mix.update();
        upToInsert = upToUpdate + mix.insert();
        upToDelete = upToInsert + mix.delete();
        upToScan = upToDelete + mix.scan();
    }

    /// Draws the next request.
    public void draw() {
        if (workload.plain()) {
            return;
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
    }

    /// Makes a put of this key the drawn request.
    public void drawPut(long chosen) {
        operation = Operation.PUT;
        key = chosen;
        missing = false;
        isNew = false;
        valueBytes = workload.values().next(random);
    }

    public Operation operation() {
        return operation;
    }

    public long key() {
        return key;
    }

    /// Whether the key was chosen because it does not exist.
    public boolean isMissing() {
        return missing;
    }

    /// Whether it puts a key that nobody has put before.
    public boolean isNew() {
        return isNew;
    }

    /// The put of this new key was acknowledged.
    public void stored(long stored) {
        keys.stored(stored);
    }

    public DistinctKeys distinct() {
        return distinct;
    }

    public long inserted() {
        return keys.inserted();
    }

    /// The longest request of this source.
    public int mostBytes() {
        return forms.mostBytes(workload);
    }

    /// Writes the drawn request and returns where it ends.
    public int write(byte[] into, int at) {
        return switch (operation) {
            case PLAIN -> RequestForm.copy(forms.plain(), into, at);
            case GET, RMW -> forms.encoder().get(key, missing, into, at);
            case DELETE -> forms.encoder().delete(key, into, at);
            case PUT -> forms.encoder().put(key, valueBytes, into, at);
            case SCAN -> forms.encoder().scan(key, limit, into, at);
        };
    }
}
