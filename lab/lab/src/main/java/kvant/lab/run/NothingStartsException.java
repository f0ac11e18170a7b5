package kvant.lab.run;

import kvant.lab.result.Remark;

/// No variant of an experiment can be started, so that nothing was run and nothing created.
public final class NothingStartsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Remark reason;

    NothingStartsException(Remark reason) {
        super(reason.toString());
        this.reason = reason;
    }

    /// Why the first of them cannot.
    public Remark reason() {
        return reason;
    }
}
