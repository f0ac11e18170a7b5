package kvant.engine;

/// A conditional batch was not applied, because its condition did not hold.
public final class ConditionFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    ConditionFailedException() {
        super("the condition of the batch did not hold");
    }
}
