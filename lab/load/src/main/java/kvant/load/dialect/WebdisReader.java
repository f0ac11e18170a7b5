package kvant.load.dialect;

import kvant.load.http.ResponseParser;

/// Reads the answers of webdis. When Redis refuses a command, webdis answers 200 with the error as the body:
/// `-OOM command not allowed`. That is no acknowledgement, and becomes 500. A value may have any first byte, so answers
/// to gets are not checked.
///
/// Owned by the loop of the connection.
final class WebdisReader extends ResponseParser {

    private static final int OK = 200;
    private static final int FAILED = 500;
    private static final byte ERROR = '-';

    private final BodyListener body = this::body;
    private BodyListener listener = (_, _, _) -> {};
    private boolean refused;

    @Override
    public void reset() {
        super.reset();
        refused = false;
    }

    @Override
    public int status() {
        return refused && super.status() == OK ? FAILED : super.status();
    }

    @Override
    public int feed(byte[] bytes, int from, int to, BodyListener asked) {
        listener = asked;
        return super.feed(bytes, from, to, body);
    }

    private void body(byte[] bytes, int from, int to) {
        if (bodyBytes() == 0 && from < to && !listener.isRead()) {
            refused = bytes[from] == ERROR;
        }
        listener.body(bytes, from, to);
    }
}
