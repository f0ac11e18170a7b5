package kvant.server.http.answer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.CorsOrigins;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.Problem;
import kvant.server.request.Outcome;
import kvant.server.request.RecordBatch;
import org.jspecify.annotations.Nullable;

/// Turns the answers of one connection into bytes, in order, one at a time, and no faster than the client takes them.
///
/// Small answers gather in one buffer; a large value or a range goes out in pieces, and stops whenever the channel has
/// as much unsent as it may have. The place where it stopped is all the state there is.
public final class ResponseWriter {

    /// How large the gathering buffer grows before it is handed over, and the pieces of large values.
    private static final int PIECE_BYTES = 16 << 10;

    private static final int FIRST_BUFFER_BYTES = 1024;

    /// A multiple of three, so that pieces of base64 need no padding between them.
    private static final int BASE64_PIECE_BYTES = 12 << 10;

    private static final byte[] FOUND =
            ascii("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ");
    private static final byte[] PART =
            ascii("HTTP/1.1 206 Partial Content\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ");
    private static final byte[] NO_PART = ascii("\r\nContent-Range: bytes */");
    private static final byte[] NOT_MODIFIED = ascii("HTTP/1.1 304 Not Modified\r\nContent-Length: ");
    private static final byte[] STORED = ascii("HTTP/1.1 201 Created\r\nContent-Length: 0");
    private static final byte[] DELETED = ascii("HTTP/1.1 202 Accepted\r\nContent-Length: 0");
    private static final byte[] ALIVE = ascii("HTTP/1.1 200 OK\r\nContent-Length: 0");
    private static final byte[] READY =
            ascii("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ");
    private static final byte[] NOT_READY =
            ascii("HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ");
    private static final byte[] PAGE = ascii("HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Type: ");
    private static final byte[] LENGTH = ascii("\r\nContent-Length: ");
    private static final byte[] OCTETS_HEAD = ascii("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream");
    private static final byte[] CHUNKED = ascii("\r\nTransfer-Encoding: chunked");
    private static final byte[] ETAG = ascii("ETag: \"");
    private static final byte[] ETAG_END = ascii("\"\r\n");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] LAST_CHUNK = ascii("0\r\n\r\n");
    private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private static final long NO_VERSION = -1;

    // Constant.
    private final Channel channel;
    private final HeadScratch scratch;
    private final CommonLines common;
    private final HiddenPaths paths;

    // Owned by the event loop.
    private @Nullable ByteBuf gathering;
    private boolean handedOver;
    private long handedBytes;
    private boolean headWritten;
    private boolean inRecord;
    private int valueOffset;
    private int record;
    private long records;

    /// @param scratch holds nothing between two heads: connections of a loop share it, as they do the common lines
    /// @param paths left out of all that an engine says
    public ResponseWriter(Channel channel, HeadScratch scratch, CommonLines common, HiddenPaths paths) {
        this.channel = channel;
        this.scratch = scratch;
        this.common = common;
        this.paths = paths;
    }

    /// Lays out what is the same for all answers, so that the first client does not wait for it.
    public static void prepare() {
        ErrorAnswer.prepare();
    }

    /// Whether the channel takes more.
    public boolean hasRoom() {
        return channel.isWritable();
    }

    /// How many bytes the kernel has taken; a piece counts when all of it is taken.
    public long takenBytes() {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return unsent == null ? handedBytes : handedBytes - unsent.totalPendingWriteBytes();
    }

    /// Whether an answer has been begun and not finished.
    public boolean inMiddle() {
        return headWritten;
    }

    /// Tells the client to send the body.
    public void writeContinue() {
        gather(CONTINUE);
    }

    /// Goes on with an answer.
    ///
    /// @return whether all of its outcome has been written; if not, there is no more room for now
    public boolean write(Answer answer) {
        Problem problem = answer.problem();
        Outcome outcome = answer.outcome();
        if (problem != null) {
            error(answer, ErrorAnswer.of(problem));
            return finished();
        }
        if (outcome == null) {
            throw new IllegalStateException("nothing to write yet");
        }
        return switch (outcome) {
            case Outcome.Found(byte[] value, long version) -> found(answer, value, version);
            case Outcome.Part part -> part(answer, part);
            case Outcome.Unsatisfiable(int bytes) -> {
                ErrorAnswer error = ErrorAnswer.of(Problem.RANGE_NOT_SATISFIABLE);
                head(answer, scratch.put(error.head()).put(NO_PART).putDecimal(bytes), NO_VERSION);
                gather(error.body());
                yield finished();
            }
            case Outcome.Records(RecordBatch batch) -> records(answer, batch);
            case Outcome.Described(long version, int bytes) ->
                head(answer, scratch.put(FOUND).putDecimal(bytes), version);
            case Outcome.Stored(long version) -> head(answer, scratch.put(STORED), version);
            case Outcome.NotModified(long version, int bytes) ->
                head(answer, scratch.put(NOT_MODIFIED).putDecimal(bytes), version);
            case Outcome.Page page -> page(answer, page);
            case Outcome.Readiness readiness -> readiness(answer, readiness);
            case Outcome.Failed(var kind, String detail) -> {
                error(answer, ErrorAnswer.of(Problem.of(kind), paths.hide(detail)));
                yield finished();
            }
            case Outcome.Plain plain -> plain(answer, plain);
        };
    }

    /// Hands what was gathered to the channel and has it sent.
    public void flush() {
        handOver();
        while (handedOver) {
            handedOver = false;
            channel.flush();
        }
    }

    /// Lets go of what was not handed over; the channel is closed.
    public void release() {
        if (gathering != null) {
            gathering.release();
            gathering = null;
        }
    }

    private boolean plain(Answer answer, Outcome.Plain plain) {
        switch (plain) {
            case ALIVE -> head(answer, scratch.put(ALIVE), NO_VERSION);
            case PREFLIGHT -> head(answer, scratch.put(CorsOrigins.PREFLIGHT), NO_VERSION);
            case DELETED -> head(answer, scratch.put(DELETED), NO_VERSION);
            case ABSENT -> error(answer, ErrorAnswer.of(Problem.NOT_FOUND));
            case PRECONDITION_FAILED -> error(answer, ErrorAnswer.of(Problem.PRECONDITION_FAILED));
        }
        return finished();
    }

    private void error(Answer answer, ErrorAnswer error) {
        head(answer, scratch.put(error.head()), NO_VERSION);
        if (!answer.headOnly()) {
            gather(error.body());
        }
    }

    private boolean readiness(Answer answer, Outcome.Readiness readiness) {
        byte[] body = ReadinessText.of(readiness, answer.verbose(), paths).getBytes(StandardCharsets.UTF_8);
        head(answer, scratch.put(readiness.ready() ? READY : NOT_READY).putDecimal(body.length), NO_VERSION);
        if (!answer.headOnly()) {
            gather(body);
        }
        return finished();
    }

    private boolean found(Answer answer, byte[] value, long version) {
        if (!headWritten) {
            head(answer, scratch.put(FOUND).putDecimal(value.length), version);
            headWritten = true;
        }
        return pieces(value, value.length) && finished();
    }

    private boolean part(Answer answer, Outcome.Part part) {
        if (!headWritten) {
            scratch.put(PART).putDecimal(part.from()).put('-').putDecimal(part.to() - 1L);
            scratch.put('/').putDecimal(part.value().length).put(LENGTH).putDecimal(part.to() - (long) part.from());
            head(answer, scratch, part.version());
            headWritten = true;
            valueOffset = part.from();
        }
        return pieces(part.value(), part.to()) && finished();
    }

    private boolean page(Answer answer, Outcome.Page page) {
        if (!headWritten) {
            scratch.put(PAGE).put(PageHead.of(page)).put(LENGTH).putDecimal(page.body().length);
            head(answer, scratch, NO_VERSION);
            headWritten = true;
        }
        return (answer.headOnly() || pieces(page.body(), page.body().length)) && finished();
    }

    /// Goes on with a value up to a byte of it; stops where there is no more room.
    private boolean pieces(byte[] value, int end) {
        while (valueOffset < end) {
            if (!hasRoom()) {
                return false;
            }
            int count = Math.min(end - valueOffset, PIECE_BYTES);
            buffer().writeBytes(value, valueOffset, count);
            valueOffset += count;
            handOverPiece();
        }
        return true;
    }

    private boolean base64Pieces(byte[] value) {
        while (valueOffset < value.length) {
            if (!hasRoom()) {
                return false;
            }
            int count = Math.min(value.length - valueOffset, BASE64_PIECE_BYTES);
            byte[] piece = new byte[count];
            System.arraycopy(value, valueOffset, piece, 0, count);
            valueOffset += count;
            gather(Base64.getEncoder().encode(piece));
        }
        return true;
    }

    /// One chunk per record; with HTTP/1.0 the same bytes without chunks, up to the close of the connection.
    private boolean records(Answer answer, RecordBatch batch) {
        if (!headWritten) {
            scratch.put(RecordLines.are(answer, batch) ? RecordLines.head(batch) : OCTETS_HEAD);
            if (answer.http10()) {
                answer.close();
            } else {
                scratch.put(CHUNKED);
            }
            head(answer, scratch, NO_VERSION);
            headWritten = true;
        }
        while (record < batch.count()) {
            if (!hasRoom() || !oneRecord(answer, batch)) {
                return false;
            }
            batch.release(record);
            record++;
            records++;
        }
        record = 0;
        byte[] mark = RecordLines.mark(batch);
        if (mark != null) {
            chunk(answer, mark);
        }
        return !batch.last() || lastRecord(answer, batch);
    }

    private boolean oneRecord(Answer answer, RecordBatch batch) {
        byte[] value = batch.value(record);
        boolean line = RecordLines.are(answer, batch);
        if (!inRecord) {
            beginRecord(answer, batch, value, line);
            inRecord = true;
        }
        if (!(line ? base64Pieces(value) : pieces(value, value.length))) {
            return false;
        }
        if (line) {
            gather(RecordLines.after(batch, record));
        }
        if (!answer.http10()) {
            gather(LINE_END);
        }
        inRecord = false;
        valueOffset = 0;
        return true;
    }

    private void beginRecord(Answer answer, RecordBatch batch, byte[] value, boolean line) {
        if (line) {
            byte[] before = RecordLines.before(batch, record);
            int after = RecordLines.after(batch, record).length;
            chunkSize(answer, before.length + RecordLines.base64Length(value) + after);
            gather(before);
        } else {
            byte[] key = batch.key(record);
            chunkSize(answer, (long) key.length + 1 + value.length);
            gather(key);
            buffer().writeByte(Bytes.LF);
        }
    }

    /// A plain range that broke off ends without its last chunk; ND-JSON says so in its last line.
    private boolean lastRecord(Answer answer, RecordBatch batch) {
        Outcome.Failed failure = batch.failure();
        if (RecordLines.are(answer, batch)) {
            chunk(answer, RecordLines.last(batch, records, paths));
        } else if (failure != null) {
            answer.close();
            if (answer.http10()) {
                answer.markCutOff(); // its end is the end of the connection, like that of a complete one
            }
            return finished();
        }
        if (!answer.http10()) {
            gather(LAST_CHUNK);
        }
        records = 0;
        return finished();
    }

    private void chunk(Answer answer, byte[] bytes) {
        chunkSize(answer, bytes.length);
        gather(bytes);
        if (!answer.http10()) {
            gather(LINE_END);
        }
    }

    private void chunkSize(Answer answer, long bytes) {
        if (!answer.http10()) {
            scratch.putHex(bytes).put(LINE_END).moveTo(buffer());
        }
    }

    /// Finishes the head that was begun in the scratch, and moves it to the buffer.
    private boolean head(Answer answer, HeadScratch begun, long version) {
        begun.put(common.get()).put(answer.corsLines());
        if (version != NO_VERSION) {
            begun.put(ETAG).putDecimal(version).put(ETAG_END);
        }
        if (answer.closes()) {
            begun.put(CLOSE);
        } else if (answer.http10()) {
            begun.put(KEEP_ALIVE);
        }
        begun.put(LINE_END).moveTo(buffer());
        return true;
    }

    private boolean finished() {
        headWritten = false;
        inRecord = false;
        valueOffset = 0;
        record = 0;
        records = 0;
        return true;
    }

    private void gather(byte[] bytes) {
        buffer().writeBytes(bytes);
        handOverPiece();
    }

    private ByteBuf buffer() {
        ByteBuf buffer = gathering;
        if (buffer == null) {
            buffer = channel.alloc().directBuffer(FIRST_BUFFER_BYTES);
            gathering = buffer;
        }
        return buffer;
    }

    /// Hands a full buffer over, so that the channel's water marks see it.
    private void handOverPiece() {
        if (gathering != null && gathering.readableBytes() >= PIECE_BYTES) {
            handOver();
        }
    }

    private void handOver() {
        ByteBuf full = gathering;
        if (full != null) {
            gathering = null;
            handedOver = true;
            handedBytes += full.readableBytes();
            channel.write(full, channel.voidPromise());
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
