package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import org.jspecify.annotations.Nullable;

/// Reads the body of a request from a buffer that grows, into the one array that the engine gets
/// ([GrowingBytes]), or skips it.
///
///     IDLE --begin--> FIXED --------------------------------> IDLE
///                     CHUNK_SIZE --> CHUNK_DATA --> CHUNK_END --> CHUNK_SIZE ...
///                        \--0--> TRAILERS ------------------> IDLE
final class BodyReader {

    /// The state of the body after a read.
    enum Result {
        /// The body is not complete.
        MORE,
        /// The body is complete.
        COMPLETE,
        /// There is no memory for it: its rest is discarded, and reading continues.
        NO_MEMORY,
        /// See [#problem]; nothing that follows can be trusted or is wanted.
        FAILED
    }

    private enum State {
        IDLE,
        FIXED,
        CHUNK_SIZE,
        CHUNK_DATA,
        CHUNK_END,
        TRAILERS
    }

    private static final int MAX_SIZE_DIGITS = 15;
    private static final int HEX_SHIFT = 4;

    // Constant.
    private final HttpLimits limits;
    private final GrowingBytes kept;
    private final Lines lines = new Lines();

    // Of the body being read.
    private State state = State.IDLE;
    private boolean keeps;
    private long total;
    private long remaining;
    private int overheadBytes;
    private int trailers;
    int linesTaken; // chunks and trailers
    private boolean crSeen;
    private @Nullable Problem problem;

    BodyReader(HttpLimits limits, MemoryReservation claim) {
        this.limits = limits;
        this.kept = new GrowingBytes(claim);
    }

    /// Gets ready for a body of this length, to be thrown away.
    void skipFixed(long bodyBytes) {
        clear();
        state = State.FIXED;
        remaining = bodyBytes;
    }

    /// Prepares for a body of this length that is kept.
    ///
    /// @param besidesBytes claimed for the rest of the request
    void keepFixed(int bodyBytes, long besidesBytes) {
        clear();
        kept.begin(bodyBytes, besidesBytes);
        state = State.FIXED;
        keeps = true;
        remaining = bodyBytes;
    }

    /// Prepares for a chunked body.
    ///
    /// @param besidesBytes claimed for the rest of the request
    void chunked(boolean keep, long besidesBytes) {
        clear();
        kept.begin(limits.maxBodyBytes(), besidesBytes);
        state = State.CHUNK_SIZE;
        keeps = keep;
    }

    /// @param mostLines chunks and trailers to take at most; then there is [Result#MORE]
    Result read(ByteBuf in, int mostLines) {
        int lastLine = linesTaken + mostLines;
        while (true) {
            if (linesTaken >= lastLine) {
                return Result.MORE;
            }
            Result result = switch (state) {
                case IDLE -> Result.COMPLETE;
                case FIXED -> data(in, State.IDLE);
                case CHUNK_DATA -> data(in, State.CHUNK_END);
                case CHUNK_SIZE, TRAILERS -> line(in);
                case CHUNK_END -> chunkEnd(in);
            };
            if (result != Result.COMPLETE || state == State.IDLE) {
                return result;
            }
        }
    }

    /// Why reading failed.
    Problem problem() {
        return problem == null ? Problem.MALFORMED : problem;
    }

    /// The complete body; the claim on its memory is to be handed over with it.
    byte[] take() {
        return kept.take();
    }

    /// Releases the bytes read, and discards the rest.
    void drop() {
        kept.drop();
        keeps = false;
    }

    private void clear() {
        keeps = false;
        total = 0;
        remaining = 0;
        overheadBytes = 0;
        trailers = 0;
        linesTaken = 0;
        crSeen = false;
    }

    /// Takes as much of `remaining` as there is.
    private Result data(ByteBuf in, State next) {
        int count = (int) Math.min(remaining, in.readableBytes());
        if (keeps && !kept.read(in, count)) {
            drop();
            return Result.NO_MEMORY;
        }
        if (!keeps) {
            in.skipBytes(count);
        }
        remaining -= count;
        if (remaining > 0) {
            return Result.MORE;
        }
        state = next;
        return Result.COMPLETE;
    }

    private Result line(ByteBuf in) {
        int start = in.readerIndex();
        int end = lines.find(in, limits.maxHeaderBytes());
        if (end == Lines.MORE) {
            return Result.MORE;
        }
        if (end < 0) {
            return failed(end == Lines.TOO_LONG ? Problem.HEADERS_TOO_LARGE : Problem.AMBIGUOUS_FRAMING);
        }
        Lines.skip(in, end);
        linesTaken++;
        return state == State.CHUNK_SIZE ? chunkSize(in, start, end) : trailer(in, start, end);
    }

    /// `1*HEXDIG [ BWS ";" extension ] CRLF`
    private Result chunkSize(ByteBuf in, int start, int end) {
        int at = start;
        long size = 0;
        while (at < end && Bytes.hexDigit(in.getByte(at)) >= 0 && at - start <= MAX_SIZE_DIGITS) {
            size = size << HEX_SHIFT | Bytes.hexDigit(in.getByte(at++));
        }
        if (at == start || at - start > MAX_SIZE_DIGITS || !isExtension(in, at, end)) {
            return failed(Problem.AMBIGUOUS_FRAMING);
        }
        overheadBytes += end - at;
        if (overheadBytes > limits.maxHeaderBytes()) {
            return failed(Problem.HEADERS_TOO_LARGE);
        }
        total += size;
        if (total > limits.maxBodyBytes()) {
            return failed(Problem.BODY_TOO_LARGE);
        }
        remaining = size;
        state = size == 0 ? State.TRAILERS : State.CHUNK_DATA;
        return Result.COMPLETE;
    }

    private static boolean isExtension(ByteBuf in, int from, int end) {
        int semicolon = Bytes.skipBlanks(in, from, end);
        return from == end || semicolon < end && in.getByte(semicolon) == ';' && Bytes.isFieldValue(in, from, end);
    }

    private Result chunkEnd(ByteBuf in) {
        while (in.isReadable()) {
            byte expected = crSeen ? Bytes.LF : Bytes.CR;
            if (in.readByte() != expected) {
                return failed(Problem.AMBIGUOUS_FRAMING);
            }
            crSeen = !crSeen;
            if (!crSeen) {
                state = State.CHUNK_SIZE;
                return Result.COMPLETE;
            }
        }
        return Result.MORE;
    }

    /// Trailers are checked and thrown away: none of them means anything here.
    private Result trailer(ByteBuf in, int start, int end) {
        if (end == start) {
            state = State.IDLE;
            return Result.COMPLETE;
        }
        overheadBytes += end - start;
        if (overheadBytes > limits.maxHeaderBytes() || ++trailers > limits.maxHeaders()) {
            return failed(Problem.HEADERS_TOO_LARGE);
        }
        return HeaderParser.colonOf(in, start, end) < 0 ? failed(Problem.MALFORMED) : Result.COMPLETE;
    }

    private Result failed(Problem reason) {
        problem = reason;
        drop();
        return Result.FAILED;
    }
}
