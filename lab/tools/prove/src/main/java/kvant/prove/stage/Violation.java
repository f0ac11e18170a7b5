package kvant.prove.stage;

/// A promise that does not hold. The message is one line: the key or the file, what was promised, what is there.
public final class Violation extends Exception {

    private static final long serialVersionUID = 1L;

    public Violation(String message) {
        super(message);
    }
}
