package kvant.load.dialect;

import kvant.load.http.AnswerReader;
import kvant.load.http.ResponseParser;

/// Answers of HTTP whose status does not say everything: what the server did is in their bodies too.
///
/// Owned by the loop of the connection.
abstract class OverHttp implements AnswerReader {

    private final ResponseParser http = new ResponseParser();
    private final BodyListener own = this::body;
    private BodyListener listener = (_, _, _) -> {};

    /// Forgets the last answer.
    abstract void begin();

    /// Some bytes of the body.
    abstract void body(byte[] bytes, int from, int to);

    /// Whoever wants the value.
    final BodyListener listener() {
        return listener;
    }

    final int httpStatus() {
        return http.status();
    }

    @Override
    public final void reset() {
        http.reset();
        begin();
    }

    @Override
    public final boolean isDone() {
        return http.isDone();
    }

    @Override
    public long bodyBytes() {
        return http.bodyBytes();
    }

    @Override
    public final boolean closes() {
        return http.closes();
    }

    @Override
    public final String complaint() {
        return http.complaint();
    }

    @Override
    public final boolean end() {
        return http.end();
    }

    @Override
    public final String cut() {
        return http.cut();
    }

    @Override
    public final boolean isForeign() {
        return http.isForeign();
    }

    @Override
    public final boolean isIdleTimeout(byte[] bytes, int from, int to) {
        return http.isIdleTimeout(bytes, from, to);
    }

    @Override
    public int feed(byte[] bytes, int from, int to, BodyListener asked) {
        if (http.isDone()) {
            begin();
        }
        listener = asked;
        return http.feed(bytes, from, to, own);
    }
}
