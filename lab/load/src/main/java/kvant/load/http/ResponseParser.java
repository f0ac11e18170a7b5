package kvant.load.http;

import java.util.Arrays;

/// Finds the ends of the answers on one connection. Takes bytes as they arrive, in pieces of any size, keeps a few
/// numbers between them, and allocates nothing per answer.
///
///     STATUS_LINE -> HEADERS -> DONE                          no body, or Content-Length: 0
///                           -> BODY -> DONE                   Content-Length
///                           -> SIZE_LINE <-> CHUNK, CHUNK_END -> TRAILERS -> DONE
///                           -> TO_THE_END                     neither: the body ends with the connection
///
/// Strict: input that is no HTTP/1.x answer, or has an ambiguous end, is an error and never a guess, because a
/// generator that loses its position mistakes one answer for another. Interim answers (1xx) are skipped. A dialect
/// whose status codes are not sufficient extends this class, and also checks the bodies.
///
/// Owned by the loop of the connection.
public class ResponseParser extends AnswerReader {

    private static final int USUAL_LINE = 256;

    /// Maximum length of a status line, field, or chunk size line. Kvant nodes have the same limit for a field.
    static final int LONGEST_LINE = 32 << 10;

    /// Maximum size of a head including interim ones, or of trailers.
    private static final int MOST_HEAD_BYTES = 256 << 10;

    private static final int TLS_ALERT = 0x15;
    private static final int SHORTEST_STATUS_LINE = "HTTP/1.1 200".length();
    private static final String NO_STATUS_LINE = "no HTTP/1.x status line";
    private static final int NOT_GIVEN = -1;
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int INTERIM = 200;
    private static final byte[] TIMED_OUT = {'4', '0', '8'};
    private static final byte[] PROTOCOL = {'H', 'T', 'T', 'P', '/', '1', '.'};
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final String CUT = "the server closed the connection within an answer: in ";
    private static final int HEX_DIGITS_OF_A_CHUNK = 15;

    private enum State {
        STATUS_LINE,
        HEADERS,
        BODY,
        SIZE_LINE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        TO_THE_END,
        DONE
    }

    private final boolean neverBodies;
    private State state = State.STATUS_LINE;
    private boolean http10;
    private boolean close;
    private boolean keepAlive;
    private boolean chunked;
    private boolean unknownCoding;
    private long contentLength;
    private long bodyLeft;
    private int headBytes;
    private byte[] line = new byte[USUAL_LINE]; // remaining start of a line, usually short
    private int lineLength;

    /// @param neverBodies whether the requests are `HEAD` requests, whose answers have no body
    public ResponseParser(boolean neverBodies) {
        this.neverBodies = neverBodies;
    }

    public ResponseParser() {
        this(false);
    }

    @Override
    public void reset() {
        state = State.STATUS_LINE;
        lineLength = 0;
        headBytes = 0;
        bodyBytes = 0;
    }

    @Override
    public boolean isDone() {
        return state == State.DONE;
    }

    @Override
    public boolean closes() {
        return close || (http10 && !keepAlive) || state == State.TO_THE_END;
    }

    @Override
    public boolean end() {
        if (state == State.TO_THE_END) {
            state = State.DONE;
            return true;
        }
        return false;
    }

    @Override
    public String cut() {
        return switch (state) {
            case STATUS_LINE -> isForeign() ? foreign(line[0]) : lineLength == 0 ? "" : CUT + "its status line";
            case HEADERS -> CUT + "its head";
            case BODY -> CUT + "its body, after " + bodyBytes + " of " + contentLength + " bytes";
            case SIZE_LINE, CHUNK, CHUNK_END, TRAILERS -> CUT + "its chunks, after " + bodyBytes + " bytes";
            case TO_THE_END, DONE -> "";
        };
    }

    private static String foreign(byte first) {
        return first == TLS_ALERT ? "the server speaks TLS: https://" : NO_STATUS_LINE;
    }

    @Override
    public boolean isForeign() {
        int known = Math.min(lineLength, PROTOCOL.length);
        return state == State.STATUS_LINE && !Arrays.equals(line, 0, known, PROTOCOL, 0, known);
    }

    /// RFC 9110, 15.5.9: a server may announce why it closes the connection.
    @Override
    public boolean isIdleTimeout(byte[] bytes, int from, int to) {
        int status = from + PROTOCOL.length + 2;
        return to - from >= SHORTEST_STATUS_LINE
                && Arrays.equals(bytes, from, from + PROTOCOL.length, PROTOCOL, 0, PROTOCOL.length)
                && Arrays.equals(bytes, status, status + TIMED_OUT.length, TIMED_OUT, 0, TIMED_OUT.length);
    }

    @Override
    public int feed(byte[] bytes, int from, int to, BodyListener listener) {
        if (state == State.DONE) {
            reset();
        }
        int at = from;
        while (at < to) {
            at = switch (state) {
                case STATUS_LINE, HEADERS, SIZE_LINE, CHUNK_END, TRAILERS -> takeLine(bytes, at, to);
                case BODY, CHUNK -> takeBody(bytes, at, to, listener);
                case TO_THE_END -> {
                    listener.body(bytes, at, to);
                    bodyBytes += to - at;
                    yield to;
                }
                case DONE -> at;
            };
            if (at < 0 || state == State.DONE) {
                return at;
            }
        }
        return at;
    }

    private int takeBody(byte[] bytes, int from, int to, BodyListener listener) {
        int part = (int) Math.min(bodyLeft, to - from);
        listener.body(bytes, from, from + part);
        bodyLeft -= part;
        bodyBytes += part;
        if (bodyLeft == 0) {
            state = state == State.BODY ? State.DONE : State.CHUNK_END;
        }
        return from + part;
    }

    private int takeLine(byte[] bytes, int from, int to) {
        int newline = from;
        while (newline < to && bytes[newline] != '\n') {
            newline++;
        }
        headBytes += newline - from + 1;
        if (lineLength + newline - from > LONGEST_LINE) {
            return garbage("a line of more than " + (LONGEST_LINE >> 10) + " KiB");
        }
        if (headBytes > MOST_HEAD_BYTES) {
            return garbage("a head of more than " + (MOST_HEAD_BYTES >> 10) + " KiB");
        }
        if (newline == to) {
            keep(bytes, from, to);
            return to;
        }
        boolean understood;
        if (lineLength == 0) {
            understood = endLine(bytes, from, newline);
        } else {
            keep(bytes, from, newline);
            int length = lineLength;
            lineLength = 0;
            understood = endLine(line, 0, length);
        }
        return understood ? newline + 1 : GARBAGE;
    }

    private void keep(byte[] bytes, int from, int to) {
        int length = lineLength + to - from;
        if (length > line.length) {
            line = Arrays.copyOf(line, Math.clamp(2L * length, USUAL_LINE, LONGEST_LINE));
        }
        System.arraycopy(bytes, from, line, lineLength, to - from);
        lineLength = length;
    }

    private int garbage(String what) {
        refuse(what);
        return GARBAGE;
    }

    /// @param newline actual or possible position of the line feed
    private boolean endLine(byte[] bytes, int from, int newline) {
        if (newline == from || bytes[newline - 1] != '\r') {
            boolean tls = state == State.STATUS_LINE && bytes[from] == TLS_ALERT;
            return refuse(tls ? foreign(bytes[from]) : "a line that does not end with CR LF");
        }
        int end = newline - 1;
        return switch (state) {
            case STATUS_LINE -> statusLine(bytes, from, end);
            case HEADERS -> from == end ? endOfHead() : header(bytes, from, end);
            case SIZE_LINE -> sizeLine(bytes, from, end);
            case CHUNK_END -> {
                state = State.SIZE_LINE;
                yield from == end || refuse("a chunk that is longer than its size");
            }
            case TRAILERS -> {
                state = from == end ? State.DONE : State.TRAILERS;
                yield true;
            }
            case BODY, CHUNK, TO_THE_END, DONE -> throw new IllegalStateException("no line in " + state);
        };
    }

    private boolean statusLine(byte[] bytes, int from, int end) {
        if (end - from < SHORTEST_STATUS_LINE
                || bytes[from] != 'H'
                || bytes[from + 1] != 'T'
                || bytes[from + 2] != 'T'
                || bytes[from + 3] != 'P'
                || bytes[from + 4] != '/'
                || bytes[from + 5] != '1'
                || bytes[from + 6] != '.'
                || (bytes[from + 7] != '0' && bytes[from + 7] != '1')
                || bytes[from + 8] != ' ') {
            return refuse(foreign(bytes[from]));
        }
        int code = 0;
        for (int i = from + 9; i < from + 12; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return refuse("a status that is no number");
            }
            code = code * 10 + bytes[i] - '0';
        }
        if (code < 100 || code > 599 || (end - from > SHORTEST_STATUS_LINE && bytes[from + 12] != ' ')) {
            return refuse("a status outside 100 to 599");
        }
        status = code;
        http10 = bytes[from + 7] == '0';
        close = false;
        keepAlive = false;
        chunked = false;
        unknownCoding = false;
        contentLength = NOT_GIVEN;
        bodyBytes = 0;
        state = State.HEADERS;
        return true;
    }

    private boolean header(byte[] bytes, int from, int end) {
        switch (bytes[from] | 0x20) {
            case 'c' -> {
                if (isNamed(bytes, from, end, "content-length:")) {
                    return contentLength(bytes, from + "content-length:".length(), end);
                }
                if (isNamed(bytes, from, end, "content-length ") || isNamed(bytes, from, end, "content-length\t")) {
                    return refuse("a space before the colon of Content-Length");
                }
                if (isNamed(bytes, from, end, "connection:")) {
                    int value = from + "connection:".length();
                    close |= contains(bytes, value, end, "close");
                    keepAlive |= contains(bytes, value, end, "keep-alive");
                }
            }
            case 't' -> {
                if (isNamed(bytes, from, end, "transfer-encoding:")) {
                    chunked = isChunked(bytes, from + "transfer-encoding:".length(), end);
                    unknownCoding = !chunked; // the last one decides
                }
            }
            default -> {} // does not affect the end of the answer
        }
        return true;
    }

    private static boolean isNamed(byte[] bytes, int from, int end, String name) {
        if (end - from < name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            int letter = bytes[from + i];
            if ((letter >= 'A' && letter <= 'Z' ? letter | 0x20 : letter) != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// True if the last coding of a list is `chunked`: only then is the body self-delimiting.
    private static boolean isChunked(byte[] bytes, int from, int end) {
        int last = end;
        while (last > from && (bytes[last - 1] == ' ' || bytes[last - 1] == '\t')) {
            last--;
        }
        int word = last - "chunked".length();
        if (word < from || !isNamed(bytes, word, last, "chunked")) {
            return false;
        }
        return word == from || bytes[word - 1] == ' ' || bytes[word - 1] == '\t' || bytes[word - 1] == ',';
    }

    /// True if a list contains this word.
    private static boolean contains(byte[] bytes, int from, int end, String word) {
        for (int at = from; at + word.length() <= end; at++) {
            int after = at + word.length();
            if ((at == from || isBetween(bytes[at - 1]))
                    && (after == end || isBetween(bytes[after]))
                    && isNamed(bytes, at, end, word)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBetween(byte letter) {
        return letter == ' ' || letter == '\t' || letter == ',';
    }

    private boolean contentLength(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        int last = end;
        while (last > at && (bytes[last - 1] == ' ' || bytes[last - 1] == '\t')) {
            last--;
        }
        if (last == at || last - at > 18) {
            return refuse("a Content-Length that is no number");
        }
        long length = 0;
        for (int i = at; i < last; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return refuse("a Content-Length that is no number");
            }
            length = length * 10 + bytes[i] - '0';
        }
        if (contentLength != NOT_GIVEN && contentLength != length) {
            return refuse("two different Content-Length fields");
        }
        contentLength = length;
        return true;
    }

    private boolean endOfHead() {
        if (status == SWITCHING_PROTOCOLS) {
            return refuse("the server switched to another protocol (101), which was not asked for");
        }
        if (status < INTERIM) {
            state = State.STATUS_LINE;
            return true;
        }
        if (unknownCoding && !isBodiless()) {
            return refuse("a transfer encoding other than chunked");
        }
        if (chunked && contentLength != NOT_GIVEN && !isBodiless()) {
            return refuse("both Content-Length and Transfer-Encoding");
        }
        if (isBodiless() || (contentLength == 0 && !chunked)) {
            state = State.DONE;
        } else if (chunked) {
            state = State.SIZE_LINE;
        } else if (contentLength > 0) {
            bodyLeft = contentLength;
            state = State.BODY;
        } else {
            state = State.TO_THE_END;
        }
        return true;
    }

    private boolean isBodiless() {
        return neverBodies || status == NO_CONTENT || status == NOT_MODIFIED;
    }

    private boolean sizeLine(byte[] bytes, int from, int end) {
        long size = 0;
        int at = from;
        for (; at < end; at++) {
            int digit = Character.digit(bytes[at], 16);
            if (digit < 0) {
                break;
            }
            size = (size << 4) | digit;
        }
        boolean extended = at < end && (bytes[at] == ';' || bytes[at] == ' ');
        if (at == from || at - from > HEX_DIGITS_OF_A_CHUNK || (at < end && !extended)) {
            return refuse("a chunk size that is no number");
        }
        headBytes = 0; // lines between chunks are limited individually, not in total
        bodyLeft = size;
        state = size == 0 ? State.TRAILERS : State.CHUNK;
        return true;
    }
}
