package kvant.engine;

/// Per-request parameters for a [RemoteEngine]: acknowledgements and timeout.
///
/// @param acks replicas that must answer, or [#USUAL_ACKS] for the engine's setting
/// @param timeoutNanos longest time until the answer, or [#USUAL_TIMEOUT] for the engine's setting
public record Terms(int acks, long timeoutNanos) {

    public static final int USUAL_ACKS = 0;
    public static final long USUAL_TIMEOUT = 0;

    /// The engine's defaults.
    public static final Terms USUAL = new Terms(USUAL_ACKS, USUAL_TIMEOUT);
}
