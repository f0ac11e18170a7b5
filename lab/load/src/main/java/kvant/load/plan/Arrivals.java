package kvant.load.plan;

import kvant.load.keys.SplitMix64;

/// The due times of the requests of one connection. The schedule is independent of the server, which makes the load
/// model open.
///
/// It is a function, not a list: the backlog of a slow connection is only a counter here, however long it is. `R`
/// requests per second over `C` connections, uniformly, are due at `t0 + i/R`, the i-th on connection `i mod C`. For a
/// Poisson process, each connection is an independent Poisson process of rate `R/C`, and their sum has rate `R`.
///
/// Owned by the loop of the connection.
public final class Arrivals {

    /// The distribution of the gaps between requests.
    public enum Law {
        UNIFORM,
        POISSON,
        /// No schedule, a closed loop: each request is due when the previous one was answered.
        CLOSED
    }

    // Constant.
    private final Law law;
    private final double intervalNanos;
    private final double offsetNanos;
    private final SplitMix64 random;

    // Owned by the loop.
    private long startNanos;
    private long count;
    private double drawn;
    private long next;

    /// @param rate requests per second over all connections
    /// @param index of this connection among all
    public Arrivals(Law law, double rate, int connections, int index, SplitMix64 random) {
        this.law = law;
        this.intervalNanos = law == Law.CLOSED ? 0 : connections * 1e9 / rate;
        this.offsetNanos = law == Law.CLOSED ? 0 : index * 1e9 / rate;
        this.random = random;
    }

    public void start(long nanos) {
        startNanos = nanos;
        count = 0;
        drawn = 0;
        next = nanos;
        switch (law) {
            case UNIFORM -> next = nanos + (long) offsetNanos;
            case POISSON -> advance();
            case CLOSED -> {}
        }
    }

    /// The due time of the next request.
    public long next() {
        return next;
    }

    /// Takes that request and advances to the next.
    public void advance() {
        switch (law) {
            case UNIFORM -> {
                count++;
                next = startNanos + (long) (offsetNanos + count * intervalNanos);
            }
            case POISSON -> {
                drawn += -Math.log1p(-random.nextDouble()) * intervalNanos;
                next = startNanos + (long) drawn;
            }
            case CLOSED -> {}
        }
    }

    /// Abandons requests that were due before a time and not taken.
    ///
    /// @return their number
    public long skipTo(long nanos) {
        long skipped = 0;
        while (law != Law.CLOSED && next < nanos) {
            advance();
            skipped++;
        }
        return skipped;
    }

    public boolean isClosed() {
        return law == Law.CLOSED;
    }
}
