package kvant.load.dialect;

import kvant.load.http.AnswerReader;
import kvant.load.http.ResponseParser;

/// Reads the answers of webdis. It says 200 to what Redis refused, with the error as the body: `-OOM
/// command not allowed`. That is no acknowledgement, and becomes 500. A value may begin in any way, so that
/// answers to gets are taken as they are.
///
/// Owned by the loop of the connection.
final class WebdisReader implements AnswerReader {

    private static final int OK = 200;
    private static final int FAILED = 500;
    private static final byte ERROR = '-';

    private final ResponseParser http = new ResponseParser();
    private final BodyListener own = this::body;
    private BodyListener listener = (_, _, _) -> {};
    private boolean refused;

    @Override
    public void reset() {
        http.reset();
        refused = false;
    }

    @Override
    public boolean isDone() {
        return http.isDone();
    }

    @Override
    public int status() {
        return refused && http.status() == OK ? FAILED : http.status();
    }

    @Override
    public long bodyBytes() {
        return http.bodyBytes();
    }

    @Override
    public boolean closes() {
        return http.closes();
    }

    @Override
    public String complaint() {
        return http.complaint();
    }

    @Override
    public boolean end() {
        return http.end();
    }

    @Override
    public int feed(byte[] bytes, int from, int to, BodyListener asked) {
        if (http.isDone()) {
            reset();
        }
        listener = asked;
        return http.feed(bytes, from, to, own);
    }

    private void body(byte[] bytes, int from, int to) {
        if (http.bodyBytes() == 0 && from < to && !listener.isRead()) {
            refused = bytes[from] == ERROR;
        }
        listener.body(bytes, from, to);
    }
}
