package kvant.load.dialect;

import kvant.load.http.AnswerReader;

/// Reads the answers of Redis to commands for one key.
///
///     TYPE -> LINE -> DONE                          +OK, :1, -ERR why, $-1, _ (nil of version 3)
///                  -> VALUE -> VALUE_END -> DONE    $LENGTH and so many bytes
///
/// Mapped to HTTP status codes: a value, an acknowledgement or a number is 200, nil is 404, an error 500. Strict, like
/// [kvant.load.http.ResponseParser]: an array or any other unexpected type is garbage.
///
/// Owned by the loop of the connection.
final class RespReader extends AnswerReader {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int FAILED = 500;
    private static final int LONGEST_LINE = 16 << 10;

    /// The maximum length of a Redis string.
    private static final long LONGEST_VALUE = 512L << 20;

    private static final int NO_LENGTH = -1;

    private enum State {
        TYPE,
        LINE,
        VALUE,
        VALUE_END,
        DONE
    }

    private State state = State.TYPE;
    private byte type;
    private int lineBytes;
    private boolean returned;
    private boolean negative;
    private long number;
    private long valueLeft;

    @Override
    public void reset() {
        state = State.TYPE;
        bodyBytes = 0;
    }

    @Override
    public boolean isDone() {
        return state == State.DONE;
    }

    @Override
    public String cut() {
        return state == State.TYPE || state == State.DONE ? "" : "the server closed the connection within an answer";
    }

    @Override
    public int feed(byte[] bytes, int from, int to, BodyListener listener) {
        if (state == State.DONE) {
            reset();
        }
        int at = from;
        while (at >= 0 && at < to && state != State.DONE) {
            at = switch (state) {
                case TYPE -> type(bytes[at]) ? at + 1 : GARBAGE;
                case LINE -> line(bytes[at]) ? at + 1 : GARBAGE;
                case VALUE -> value(bytes, at, to, listener);
                case VALUE_END -> valueEnd(bytes[at]) ? at + 1 : GARBAGE;
                case DONE -> at;
            };
        }
        return at;
    }

    private boolean type(byte first) {
        switch (first) {
            case '+', ':', '$', '_', '-' -> {
                type = first;
                state = State.LINE;
                lineBytes = 0;
                returned = false;
                negative = false;
                number = NO_LENGTH;
                return true;
            }
            default -> {
                return refuse("an answer of a kind that no command here has");
            }
        }
    }

    private boolean line(byte next) {
        if (returned) {
            return next == '\n' ? lineEnds() : refuse("a line that does not end with CR LF");
        }
        if (next == '\r') {
            returned = true;
            return true;
        }
        if (++lineBytes > LONGEST_LINE || next == '\n') {
            return refuse("a line without its end");
        }
        if (type == '+' || type == '-') {
            return true; // readable text
        }
        if (next == '-' && lineBytes == 1) {
            negative = true;
            return true;
        }
        if (type == '_' || next < '0' || next > '9' || number > Long.MAX_VALUE / 10 - 1) {
            return refuse("a number that is none");
        }
        number = Math.max(0, number) * 10 + next - '0';
        return true;
    }

    private boolean lineEnds() {
        boolean numeric = type == ':' || type == '$';
        if (numeric && number == NO_LENGTH) {
            return refuse("a number that is none");
        }
        if (type == '$' && (negative ? number != 1 : number > LONGEST_VALUE)) {
            return refuse("a value of a length that there is not");
        }
        boolean nil = type == '_' || (type == '$' && negative);
        status = type == '-' ? FAILED : nil ? NOT_FOUND : OK;
        if (type == '$' && !negative) {
            valueLeft = number;
            returned = false;
            state = number == 0 ? State.VALUE_END : State.VALUE;
        } else {
            state = State.DONE;
        }
        return true;
    }

    private int value(byte[] bytes, int from, int to, BodyListener listener) {
        int part = (int) Math.min(valueLeft, to - from);
        listener.body(bytes, from, from + part);
        valueLeft -= part;
        bodyBytes += part;
        if (valueLeft == 0) {
            state = State.VALUE_END;
        }
        return from + part;
    }

    private boolean valueEnd(byte next) {
        if (next != (returned ? '\n' : '\r')) {
            return refuse("a value that is longer than its length");
        }
        if (returned) {
            state = State.DONE;
        }
        returned = true;
        return true;
    }
}
