package kvant.server.resp;

/// A command whose words make no sense together, or none at all.
final class WrongCommandException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Reply reply;

    /// @param reply an error
    WrongCommandException(Reply reply) {
        super("wrong command", null, false, false);
        this.reply = reply;
    }

    /// @param line see [Errors#error]
    WrongCommandException(String line) {
        this(Errors.error(line));
    }

    Reply reply() {
        return reply;
    }
}
