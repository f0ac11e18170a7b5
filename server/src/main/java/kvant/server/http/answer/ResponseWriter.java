package kvant.server.http.answer;

import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.CorsOrigins;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.Problem;
import kvant.server.request.Outcome;
import kvant.server.request.RecordBatch;
import kvant.text.Json;

/// Turns the answers of one connection into HTTP/1.1; a range goes out record by record.
public final class ResponseWriter extends AnswerWriter {

    /// A multiple of three, so that pieces of base64 need no padding between them.
    private static final int BASE64_PIECE_BYTES = 12 << 10;

    private static final byte[] LINE_END = HeadScratch.LINE_END;
    private static final byte[] LAST_CHUNK = ascii("0\r\n\r\n");
    private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private static final String POLICY = "\r\nContent-Security-Policy: ";
    private static final String ALONE = "\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin";

    /// The constant beginnings of answers: the status line and the header lines before the first variable part.
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
    private static final byte[] LIVE_PAGE =
            ascii("HTTP/1.1 302 Found\r\nCache-Control: no-store\r\nLocation: /ui\r\nContent-Length: 0");
    private static final byte[] LENGTH = ascii("\r\nContent-Length: ");
    private static final byte[] OCTETS_HEAD = ascii("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream");
    private static final byte[] CHUNKED_HEAD = ascii("\r\nTransfer-Encoding: chunked");
    private static final long NO_VERSION = HeadScratch.NO_VERSION;

    // Constant.
    private final HeadScratch scratch;
    private final HiddenPaths paths;

    // Owned by the event loop.
    private boolean headWritten;
    private int status;
    private boolean inRecord;
    private int record;
    private long records;

    /// @param scratch holds nothing between two heads: connections of a loop share it
    /// @param paths left out of all that an engine says
    public ResponseWriter(Channel channel, HeadScratch scratch, HiddenPaths paths) {
        super(channel);
        this.scratch = scratch;
        this.paths = paths;
    }

    /// Lays out the constant answers, so that the first client does not wait for it.
    public static void prepare() {
        ErrorAnswer.prepare();
    }

    @Override
    public int status(Answer answer) {
        return status;
    }

    @Override
    public boolean inMiddle() {
        return headWritten;
    }

    @Override
    public void writeContinue() {
        gather(CONTINUE);
    }

    @Override
    public boolean write(Answer answer) {
        scratch.clear(); // where no buffer could be had, the head of another client is still in it
        Problem problem = answer.problem();
        Outcome outcome = answer.outcome();
        if (problem != null) {
            error(answer, ErrorAnswer.of(problem));
            return finished();
        }
        return switch (Objects.requireNonNull(outcome, "nothing to write yet")) {
            case Outcome.Found(byte[] value, long version) -> found(answer, value, version);
            case Outcome.Part part -> part(answer, part);
            case Outcome.Unsatisfiable(int bytes) -> {
                scratch.put(ErrorAnswer.of(Problem.RANGE_NOT_SATISFIABLE).head());
                head(answer, scratch.put(NO_PART).putDecimal(bytes), NO_VERSION);
                gather(ErrorAnswer.of(Problem.RANGE_NOT_SATISFIABLE).body());
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
            case Outcome.Failed(var kind, String detail) -> failed(answer, Problem.of(kind), detail);
            case Outcome.Entry _, Outcome.Entries _, Outcome.Count _ ->
                throw new IllegalStateException("HTTP asks for no such thing");
            case Outcome.Plain plain -> plain(answer, plain);
        };
    }

    private boolean plain(Answer answer, Outcome.Plain plain) {
        switch (plain) {
            case ALIVE -> head(answer, scratch.put(ALIVE), NO_VERSION);
            case PREFLIGHT -> head(answer, scratch.put(CorsOrigins.PREFLIGHT), NO_VERSION);
            case LIVE_PAGE -> head(answer, scratch.put(LIVE_PAGE), NO_VERSION);
            case DELETED -> head(answer, scratch.put(DELETED), NO_VERSION);
            case ABSENT -> error(answer, ErrorAnswer.of(Problem.NOT_FOUND));
            case PRECONDITION_FAILED -> error(answer, ErrorAnswer.of(Problem.PRECONDITION_FAILED));
        }
        return finished();
    }

    /// Writes a failure; with the request's id if an operator may look for it in the node's log.
    private boolean failed(Answer answer, Problem problem, String detail) {
        if (problem.isLookedInto()) {
            answer.named();
        }
        error(answer, ErrorAnswer.of(problem, paths.hide(detail), answer.trace().id()));
        return finished();
    }

    private void error(Answer answer, ErrorAnswer error) {
        head(answer, scratch.put(error.head()), NO_VERSION);
        if (!answer.form().headOnly()) {
            gather(error.body());
        }
    }

    private boolean readiness(Answer answer, Outcome.Readiness readiness) {
        byte[] body = textOf(readiness, answer.form().verbose()).getBytes(StandardCharsets.UTF_8);
        scratch.put(readiness.ready() ? READY : NOT_READY);
        head(answer, scratch.putDecimal(body.length), NO_VERSION);
        if (!answer.form().headOnly()) {
            gather(body);
        }
        return finished();
    }

    /// One word where all is well, else a line for each check.
    ///
    /// @param verbose whether the checks are listed even if all is well
    private String textOf(Outcome.Readiness readiness, boolean verbose) {
        if (readiness.ready() && !verbose) {
            return "ready\n";
        }
        StringBuilder text = new StringBuilder();
        for (Outcome.Readiness.Check check : readiness.checks()) {
            text.append(check.name()).append(check.ok() ? ": ok: " : ": failed: ");
            text.append(paths.hide(check.detail()).replace('\n', ' ')).append('\n');
        }
        return text.toString();
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
            scratch.put('/').putDecimal(part.value().length).put(LENGTH);
            scratch.putDecimal(part.to() - (long) part.from());
            head(answer, scratch, part.version());
            headWritten = true;
            beginAt(part.from());
        }
        return pieces(part.value(), part.to()) && finished();
    }

    private boolean page(Answer answer, Outcome.Page page) {
        if (!headWritten) {
            scratch.put(PAGE).put(ascii(contentOf(page))).put(LENGTH).putDecimal(page.body().length);
            head(answer, scratch, NO_VERSION);
            headWritten = true;
        }
        return (answer.form().headOnly() || pieces(page.body(), page.body().length)) && finished();
    }

    /// The content type, and the security policy for a page that a browser runs.
    private static String contentOf(Outcome.Page page) {
        String policy = page.policy();
        return policy.isEmpty() ? page.contentType() : page.contentType() + POLICY + policy + ALONE;
    }

    private boolean base64Pieces(byte[] value) {
        while (offset() < value.length) {
            if (!hasRoom()) {
                return false;
            }
            int from = offset();
            int count = Math.min(value.length - from, BASE64_PIECE_BYTES);
            byte[] piece = new byte[count];
            System.arraycopy(value, from, piece, 0, count);
            beginAt(from + count);
            gather(Base64.getEncoder().encode(piece));
        }
        return true;
    }

    /// Writes records, one chunk each; with HTTP/1.0 the same bytes without chunks, up to the close of the
    /// connection.
    private boolean records(Answer answer, RecordBatch batch) {
        if (!headWritten) {
            scratch.put(RecordLines.are(answer, batch) ? RecordLines.head(batch) : OCTETS_HEAD);
            if (answer.form().http10()) {
                answer.close();
            } else {
                scratch.put(CHUNKED_HEAD);
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
        if (!answer.form().http10()) {
            gather(LINE_END);
        }
        inRecord = false;
        beginAt(0);
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

    /// Writes the end of a range. After a failure a plain range lacks its last chunk; ND-JSON has a final line with
    /// it.
    private boolean lastRecord(Answer answer, RecordBatch batch) {
        Outcome.Failed failure = batch.failure();
        if (RecordLines.are(answer, batch)) {
            chunk(answer, RecordLines.last(batch, records, paths));
        } else if (failure != null) {
            answer.close();
            if (answer.form().http10()) {
                answer.markCutOff(); // its end is the end of the connection, like that of a complete one
            }
            return finished();
        }
        if (!answer.form().http10()) {
            gather(LAST_CHUNK);
        }
        records = 0;
        return finished();
    }

    private void chunk(Answer answer, byte[] bytes) {
        chunkSize(answer, bytes.length);
        gather(bytes);
        if (!answer.form().http10()) {
            gather(LINE_END);
        }
    }

    private void chunkSize(Answer answer, long bytes) {
        if (!answer.form().http10()) {
            scratch.put(Long.toHexString(bytes).getBytes(StandardCharsets.US_ASCII))
                    .put(LINE_END)
                    .moveTo(buffer());
        }
    }

    /// Finishes the head that was begun in the scratch, and moves it to the buffer.
    private boolean head(Answer answer, HeadScratch begun, long version) {
        status = begun.status();
        begun.end(answer, version).moveTo(buffer());
        return true;
    }

    private boolean finished() {
        headWritten = false;
        inRecord = false;
        beginAt(0);
        record = 0;
        records = 0;
        return true;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// The constant bytes of an error answer (RFC 9457), laid out once per [Problem].
    ///
    /// @param head status line and headers, except for those of [HeadScratch], `Connection` and the line end before
    ///     them
    /// @param body the problem document
    record ErrorAnswer(byte[] head, byte[] body) {

        private static final byte[] NO_ID = {};
        private static final ErrorAnswer[] ALL = Arrays.stream(Problem.values())
                .map(problem -> layOut(problem, problem.detail(), NO_ID))
                .toArray(ErrorAnswer[]::new);

        /// Lays all of them out, unless that has been done.
        static void prepare() {
            // Any call initialises the class.
        }

        static ErrorAnswer of(Problem problem) {
            return ALL[problem.ordinal()];
        }

        /// The answer with its own detail, and with the request's id if an operator may look for it. It is laid out
        /// again unless it equals the prepared one.
        ///
        /// @param detail empty for the usual one
        /// @param requestId ASCII, or empty
        static ErrorAnswer of(Problem problem, String detail, byte[] requestId) {
            String said = detail.isEmpty() ? problem.detail() : detail;
            byte[] id = problem.isLookedInto() ? requestId : NO_ID;
            return id.length == 0 && said.equals(problem.detail()) ? of(problem) : layOut(problem, said, id);
        }

        private static ErrorAnswer layOut(Problem problem, String detail, byte[] id) {
            Json json = Json.line()
                    .open()
                    .put("type", problem.type())
                    .put("title", problem.title())
                    .put("status", problem.status())
                    .put("detail", detail);
            if (id.length > 0) {
                json.put("requestId", new String(id, StandardCharsets.US_ASCII));
            }
            String document = json.close().toString();
            byte[] body = (document + "\n").getBytes(StandardCharsets.UTF_8);
            String head = "HTTP/1.1 " + problem.status() + " " + problem.reason()
                    + "\r\nContent-Type: application/problem+json"
                    + (problem.challenge().isEmpty() ? "" : "\r\nWWW-Authenticate: " + problem.challenge())
                    + (problem.allow().isEmpty() ? "" : "\r\nAllow: " + problem.allow())
                    + (problem == Problem.UNSUPPORTED_CODING ? "\r\nAccept-Encoding: identity" : "")
                    + (problem.retryAfterSeconds() == Problem.NO_RETRY
                            ? ""
                            : "\r\nRetry-After: " + problem.retryAfterSeconds())
                    + "\r\nContent-Length: " + body.length;
            return new ErrorAnswer(head.getBytes(StandardCharsets.US_ASCII), body);
        }
    }
}
