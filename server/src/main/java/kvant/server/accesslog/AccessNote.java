package kvant.server.accesslog;

import java.util.Arrays;
import kvant.server.request.RequestTrace;

/// What a line tells of one request. An event loop makes and fills it, then it is the writer's. Bounded: of a long key
/// it has the beginning.
public final class AccessNote {

    /// Of a key, at most.
    static final int KEY_BYTES = 128;

    /// The client went before it had the whole answer.
    public static final int GONE = 499;

    /// What the head of a request says.
    ///
    /// @param client its address, without the port
    /// @param token name of its token, or `-`
    /// @param method in capitals; of RESP the command
    /// @param path without a key, or empty where nothing is there
    /// @param parameter name of the one that has the key, or empty where there is none
    /// @param key not changed by anybody
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
                key = Arrays.copyOf(key, KEY_BYTES + 1); // one more: it goes on
            }
        }
    }

    /// How long each stage took, one after the other.
    public record Stages(long read, long queue, long engine, long deliver, long write) {

        static final Stages NONE = new Stages(0, 0, 0, 0, 0);
    }

    // Of the event loop until the note is in its queue, and then of the writer.
    final Asked asked;
    Stages stages = Stages.NONE;
    RequestTrace trace = RequestTrace.NONE;
    int status = GONE;
    long bytes;
    long endedNanos;

    public AccessNote(Asked asked) {
        this.asked = asked;
    }

    /// All of the answer was written.
    public void answered(int answeredAs, long answerBytes) {
        status = answeredAs;
        bytes = answerBytes;
    }

    /// It has been through these.
    public void stages(Stages taken) {
        stages = taken;
    }

    /// Nothing more happens to it.
    public void ended(RequestTrace knownBy, long nowNanos) {
        trace = knownBy;
        endedNanos = nowNanos;
    }

    long totalNanos() {
        return endedNanos - asked.readNanos;
    }
}
