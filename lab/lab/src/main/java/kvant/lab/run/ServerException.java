package kvant.lab.run;

import kvant.lab.result.Remark;

/// A server cannot be measured. The reason is data for the record of the step. When a run throws it, no server could
/// start and nothing was created, and the reason is that of the first server.
public final class ServerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Remark reason;

    ServerException(Remark reason) {
        super(reason.toString());
        this.reason = reason;
    }

    public Remark reason() {
        return reason;
    }
}
