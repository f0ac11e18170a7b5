package kvant.lab.run;

import kvant.lab.result.Remark;

/// A server that cannot be measured, with the reason as data: it goes into the record of the step. A run that throws
/// it could start no server at all and has created nothing, and the reason is that of the first.
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
