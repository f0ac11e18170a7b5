package kvant.server.accesslog;

import java.util.Arrays;
import kvant.server.request.RequestTrace;

/// The data for a request's line in the access log. An event loop makes and fills it; then it belongs to the writer.
/// Bounded: of a long key it has only the beginning.
public final class AccessNote {

    /// Most bytes of a key.
    static final int KEY_BYTES = 128;

    /// The client went before it had the whole answer.
    public static final int GONE = 499;

    /// The data from the head of a request.
    ///
    /// @param client its address, without the port
    /// @param token name of its token, or `-`
    /// @param method in capitals; of RESP the command
    /// @param path without a key, or empty for an unknown path
    /// @param parameter name of the parameter that has the key, or empty where there is none
    /// @param key never changed after this call
    /// @param protocol with its version
    public record Asked(
            String client,
            String token,
            String method,
            String path,
            String parameter,
            byte[] key,
            String protocol,
            long readNanos) {

        public Asked {
            if (key.length > KEY_BYTES) {
                key = Arrays.copyOf(key, KEY_BYTES + 1); // one more, as a mark of truncation
            }
        }
    }

    /// The durations of the stages, in their order.
    public record Stages(long read, long queue, long engine, long deliver, long write) {

        static final Stages NONE = new Stages(0, 0, 0, 0, 0);
    }

    // Owned by the event loop until the note is in its queue, and then by the writer.
    final Asked asked;
    Stages stages = Stages.NONE;
    RequestTrace trace = RequestTrace.NONE;
    int status = GONE;
    long bytes;
    long endedNanos;

    public AccessNote(Asked asked) {
        this.asked = asked;
    }

    /// Sets the status and size of a written answer.
    public void answered(int answeredAs, long answerBytes) {
        status = answeredAs;
        bytes = answerBytes;
    }

    /// Sets the durations of the stages.
    public void stages(Stages taken) {
        stages = taken;
    }

    /// Completes the note.
    public void ended(RequestTrace knownBy, long nowNanos) {
        trace = knownBy;
        endedNanos = nowNanos;
    }

    long totalNanos() {
        return endedNanos - asked.readNanos;
    }
}
