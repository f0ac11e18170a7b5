package kvant.engine;

/// What a request asks of a [RemoteEngine] beyond its bytes.
///
/// @param acks how many replicas must answer, or [#USUAL_ACKS] for as many as the engine is set to
/// @param timeoutNanos how long the answer may take, or [#USUAL_TIMEOUT] for as long as the engine is set to
public record Terms(int acks, long timeoutNanos) {

    public static final int USUAL_ACKS = 0;
    public static final long USUAL_TIMEOUT = 0;

    /// The engine's defaults.
    public static final Terms USUAL = new Terms(USUAL_ACKS, USUAL_TIMEOUT);
}
