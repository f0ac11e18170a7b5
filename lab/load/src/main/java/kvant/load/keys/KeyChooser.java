package kvant.load.keys;

/// Draws the keys of one thread. Keys are numbers; [KeyText] formats them.
///
/// Inserted keys are unique across threads without shared state: thread `t` of `T` inserts `first + t`,
/// `first + t + T`, and so on.
///
/// Belongs to one thread.
public final class KeyChooser {

    /// As in YCSB: ranks are drawn from a fixed number of items and then scattered over the keys, so that the
    /// popularity of a key does not depend on the number of keys.
    static final long SCRAMBLED_RANKS = 10_000_000_000L;

    /// Number of recent inserts from which `latest` chooses; a power of two.
    static final int NEWEST = 1 << 16;

    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 1_099_511_628_211L;

    // Constant.
    private final KeyPlan.Law law;
    private final long existing;
    private final long hot;
    private final double hotProbability;
    private final long firstInsert;
    private final int thread;
    private final int threads;
    private final SplitMix64 random;
    private final Zipfian zipfian;

    // Owned by the thread.
    private long inserted;
    private long walked;
    private final long[] newest; // for `latest`: acknowledged inserts, a ring buffer
    private long stored;

    /// @param existing number of keys before the run, numbered from 0
    /// @param firstInsert number of the first key that the run inserts
    public KeyChooser(KeyPlan plan, long existing, long firstInsert, int thread, int threads, SplitMix64 random) {
        this.law = plan.law();
        this.existing = Math.max(1, existing);
        this.firstInsert = firstInsert;
        this.thread = thread;
        this.threads = threads;
        this.random = random;
        this.newest = new long[law == KeyPlan.Law.LATEST ? NEWEST : 0];
        this.hot = Math.clamp((long) (this.existing * plan.share()), 1, this.existing);
        this.hotProbability = plan.probability();
        this.zipfian = switch (law) {
            case ZIPFIAN -> new Zipfian(SCRAMBLED_RANKS, plan.share());
            case LATEST -> new Zipfian(this.existing, Zipfian.YCSB_THETA);
            case HOT, SEQUENTIAL, UNIFORM -> new Zipfian(1, Zipfian.YCSB_THETA);
        };
    }

    /// A new key, not inserted before.
    public long insert() {
        return firstInsert + inserted++ * threads + thread;
    }

    /// Number of keys inserted by this thread.
    public long inserted() {
        return inserted;
    }

    /// Notes that the put of an inserted key was acknowledged. Only then may `latest` choose it, as in YCSB: a get
    /// before the put would miss through no fault of the server.
    public void stored(long key) {
        if (newest.length > 0) {
            newest[(int) (stored++ & (NEWEST - 1))] = key;
        }
    }

    /// An existing key, drawn from the distribution.
    public long next() {
        return switch (law) {
            case SEQUENTIAL -> walk();
            case UNIFORM -> random.below(existing);
            case ZIPFIAN -> Long.remainderUnsigned(fnv(zipfian.next(random)), existing);
            case LATEST -> latest(zipfian.next(random));
            case HOT ->
                random.nextDouble() < hotProbability || hot == existing
                        ? random.below(hot)
                        : hot + random.below(existing - hot);
        };
    }

    private long walk() {
        long key = walked * threads + thread;
        if (key >= existing) {
            walked = 0;
            key = thread % existing;
        }
        walked++;
        return key;
    }

    /// A key by recency: first the acknowledged inserts of this thread, then the keys that existed before the run.
    private long latest(long rank) {
        long own = Math.min(stored, NEWEST);
        if (rank < own) {
            return newest[(int) ((stored - 1 - rank) & (NEWEST - 1))];
        }
        return Math.max(0, existing - 1 - (rank - own));
    }

    /// FNV-1a over the eight bytes of a number, used by YCSB to scatter ranks.
    static long fnv(long number) {
        long hash = FNV_OFFSET;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            hash = (hash ^ ((number >>> shift) & 0xFF)) * FNV_PRIME;
        }
        return hash;
    }
}
