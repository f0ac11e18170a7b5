package kvant.prove.stage;

/// A promise that does not hold. The message is one line: the key or the file, its expected and its found state.
public final class Violation extends Exception {

    private static final long serialVersionUID = 1L;

    public Violation(String message) {
        super(message);
    }
}
