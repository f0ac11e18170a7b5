package kvant.load.schedule;

import kvant.load.random.SplitMix64;

/// When the requests of one connection are due. The schedule never looks at the server: this is what makes the model
/// open.
///
/// It is a function, not a list: a connection that is behind has its backlog here, in a counter, however long it is.
/// `R` requests a second over `C` connections, uniformly, are due at `t0 + i/R`, the i-th on connection `i mod C`;
/// as a Poisson process, each connection is a Poisson process of rate `R/C` of its own, and their sum one of rate `R`.
///
/// Owned by the loop of the connection.
public final class Arrivals {

    /// The law of the gaps between requests.
    public enum Law {
        UNIFORM,
        POISSON,
        /// No schedule: the next request is due when the last one was answered. A closed loop.
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

    /// @param rate requests a second over all connections
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

    /// When the first request that was not taken yet is due.
    public long next() {
        return next;
    }

    /// Takes that request; the one after it is next.
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

    /// Gives up what is due before a time and was not taken: it was due to be sent then, and is not any more.
    ///
    /// @return how many
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
