package kvant.server.resp.parse;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.Limits;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import kvant.server.http.parse.GrowingBytes;
import kvant.server.http.parse.InputReader;
import org.jspecify.annotations.Nullable;

/// A reader that cuts the bytes of one client into commands: arrays of bulk strings, or lines that a person types.
///
///     *2 CRLF $3 CRLF GET CRLF $1 CRLF k CRLF
///
/// A short argument waits in the buffer until it is complete; a long one is the body. Announced lengths are checked
/// before their bytes arrive; memory is claimed for bytes that have arrived. Without memory, or for a command longer
/// than the node accepts, the rest of the command is skipped, and the connection continues. A command has the time
/// limit of a head until memory is claimed for it, and from then on the lowest rate of a body. Owned by one event
/// loop.
public final class RespReader extends InputReader {

    /// Words of a command: pairs of as many operations as a batch has over HTTP, and its name.
    static final int MAX_WORDS = 20_001;

    /// Most words of an unauthenticated client, as in Redis.
    static final int MAX_UNTRUSTED_WORDS = 10;

    /// Bound on all its words together; Redis allows as much for each of them.
    static final int MAX_UNTRUSTED_BYTES = 16 << 10;

    static final int MAX_INLINE_BYTES = 16 << 10;

    /// Bound on the announced words of a command together, which Redis has for each of them. Up to it a command that
    /// is too long is skipped; beyond it the connection ends.
    static final long MAX_ANNOUNCED_BYTES = 512 << 20;

    /// A type, a sign, the longest number and CR LF.
    private static final int MAX_NUMBER_LINE = 24;

    /// An argument up to this length waits in the buffer.
    private static final int SHORT_BYTES = 16 << 10;

    /// Bytes charged for a word beyond its content.
    private static final int WORD_OVERHEAD_BYTES = 24;

    /// Commands up to this size are bounded well enough by the requests in flight.
    private static final int UNCLAIMED_BYTES = 512;

    private static final String NO_MEMORY = "";
    private static final int FIRST_WORDS = 8;
    private static final int NONE = -1;
    private static final long MORE = Long.MIN_VALUE;
    private static final long NO_NUMBER = Long.MIN_VALUE + 1;

    // Constant.
    private final CommandSink sink;
    private final MemoryReservation claim;
    private final GrowingBytes growing;
    private final int maxWordBytes;
    private final long maxCommandBytes;
    private final long maxAnnouncedBytes;

    // Of the command that is being read.
    private @Nullable List<byte[]> words;
    private int missing;
    private int length = NONE; // of the word that is being read
    private int bodyLeft;
    private boolean endsWord; // its CR LF is awaited
    private @Nullable String skipped; // what of it is too long; empty if there is no memory for it
    private long announcedBytes;
    private long keptBytes;
    private int scanned;

    /// @param unreadClaim for bytes that are held unread
    /// @param claim for the words of the command that is being received
    public RespReader(CommandSink sink, HttpLimits limits, MemoryReservation unreadClaim, MemoryReservation claim) {
        super(limits, unreadClaim);
        this.sink = sink;
        this.claim = claim;
        this.growing = new GrowingBytes(claim);
        this.maxWordBytes = Math.min(limits.maxBodyBytes(), Limits.DEFAULT.maxValueBytes());
        this.maxCommandBytes = (long) limits.maxBodyBytes() + limits.maxKeyBytes();
        this.maxAnnouncedBytes = Math.max(maxCommandBytes, MAX_ANNOUNCED_BYTES);
    }

    @Override
    protected boolean hasRoom() {
        return sink.hasRoom();
    }

    @Override
    protected boolean inParts() {
        return words != null;
    }

    /// Also between two words, once memory is claimed for it.
    @Override
    public boolean holdsBody() {
        return isInBody() || skipped != null || claim.bytes() > 0;
    }

    /// An incomplete command is still answered in a drain, because nothing is known of it before it is complete.
    @Override
    public boolean mayEnd() {
        return isBetweenRequests();
    }

    @Override
    protected void drop() {
        forget();
        growing.drop();
    }

    @Override
    protected void fail(Problem problem) {
        drop();
        enter(State.ENDED);
        sink.fail(problem);
    }

    private boolean fail(String what) {
        drop();
        enter(State.ENDED);
        sink.failProtocol(what);
        return true;
    }

    private void forget() {
        words = null;
        length = NONE;
        endsWord = false;
        skipped = null;
        announcedBytes = 0;
        keptBytes = 0;
    }

    @Override
    protected boolean head(ByteBuf in) {
        boolean goesOn;
        List<byte[]> begun = words;
        if (begun == null) {
            goesOn = in.getByte(in.readerIndex()) == '*' ? begin(in) : inline(in);
        } else if (endsWord) {
            goesOn = endOfWord(in, begun);
        } else {
            goesOn = length == NONE ? beginWord(in) : shortWord(in, begun);
        }
        if (!goesOn || inParts()) { // its bytes may end exactly behind a word
            headBegins();
        }
        return goesOn;
    }

    /// `*3`
    private boolean begin(ByteBuf in) {
        long count = number(in);
        if (count == MORE) {
            return false;
        }
        if (count == NO_NUMBER || count > MAX_WORDS) {
            return fail("invalid multibulk length");
        }
        if (count > MAX_UNTRUSTED_WORDS && !sink.isTrusted()) {
            return fail("unauthenticated multibulk length");
        }
        if (count <= 0) {
            count(1); // no command, and no reply
            requestEnds();
            return true;
        }
        missing = (int) count;
        words = new ArrayList<>(Math.min(missing, FIRST_WORDS));
        return true;
    }

    /// `$5`
    private boolean beginWord(ByteBuf in) {
        if (!in.isReadable()) {
            return false;
        }
        byte type = in.getByte(in.readerIndex());
        if (type != '$') {
            return fail("expected '$', got '" + (type > ' ' && type < 0x7f ? (char) type : '?') + "'");
        }
        long bytes = number(in);
        if (bytes == MORE) {
            return false;
        }
        if (bytes < 0 || bytes > maxAnnouncedBytes - announcedBytes) {
            return fail("invalid bulk length");
        }
        if (announcedBytes + bytes > MAX_UNTRUSTED_BYTES && !sink.isTrusted()) {
            return fail("unauthenticated bulk length");
        }
        announcedBytes += bytes;
        length = (int) bytes;
        if (length > maxWordBytes) {
            skip("argument of " + length + " bytes; " + maxWordBytes + " are allowed");
        } else if (announcedBytes > maxCommandBytes && (skipped == null || skipped.isEmpty())) {
            skip("arguments of more than " + maxCommandBytes + " bytes together");
        }
        if (length > SHORT_BYTES || skipped != null) {
            bodyLeft = length;
            growing.begin(length, keptBytes);
            enter(State.BODY);
        }
        return true;
    }

    /// Reads a word only when all of it is in the buffer.
    private boolean shortWord(ByteBuf in, List<byte[]> begun) {
        if (in.readableBytes() < length + 2) {
            return false;
        }
        if (!claims(length)) {
            in.skipBytes(length);
        } else {
            byte[] word = new byte[length];
            in.readBytes(word);
            begun.add(word);
        }
        return endOfWord(in, begun);
    }

    @Override
    protected boolean body(ByteBuf in) {
        int count = Math.min(bodyLeft, in.readableBytes());
        if (skipped == null && !growing.read(in, count)) {
            growing.drop();
            skip(NO_MEMORY);
        }
        if (skipped != null) {
            in.skipBytes(count);
        }
        bodyLeft -= count;
        if (bodyLeft > 0) {
            return false;
        }
        List<byte[]> begun = words;
        if (begun != null && skipped == null) {
            keptBytes += length + WORD_OVERHEAD_BYTES;
            begun.add(growing.take());
        }
        endsWord = true;
        enter(State.HEAD);
        return true;
    }

    private boolean endOfWord(ByteBuf in, List<byte[]> begun) {
        if (in.readableBytes() < 2) {
            return false;
        }
        if (in.readByte() != Bytes.CR || in.readByte() != Bytes.LF) {
            return fail("expected CR LF behind a bulk string");
        }
        endsWord = false;
        length = NONE;
        missing--;
        count(1);
        if (missing == 0) {
            complete(begun);
        }
        return true;
    }

    private void complete(List<byte[]> all) {
        String refused = skipped;
        long claimed = claim.handOver();
        forget();
        requestEnds();
        if (refused != null) {
            sink.refuse(refused);
        } else if (sink.command(all, claimed)) {
            enter(State.ENDED);
        }
    }

    /// Claims memory for one word more; without it, the command is skipped.
    private boolean claims(int more) {
        long needed = keptBytes + more + WORD_OVERHEAD_BYTES;
        if (needed > UNCLAIMED_BYTES && !claim.resize(needed)) {
            skip(NO_MEMORY);
            return false;
        }
        keptBytes = needed;
        return true;
    }

    /// Discards the kept words, and skips the rest of the command.
    private void skip(String tooLong) {
        skipped = tooLong;
        keptBytes = 0;
        claim.release();
        if (words != null) {
            words.clear();
        }
    }

    /// Reads a line that is no array.
    private boolean inline(ByteBuf in) {
        int start = in.readerIndex();
        int lineFeed = in.indexOf(start + scanned, in.writerIndex(), Bytes.LF);
        if (lineFeed < 0) {
            scanned = in.readableBytes();
            return scanned > MAX_INLINE_BYTES && fail("too big inline request");
        }
        scanned = 0;
        if (lineFeed - start > MAX_INLINE_BYTES) {
            return fail("too big inline request");
        }
        int end = lineFeed > start && in.getByte(lineFeed - 1) == Bytes.CR ? lineFeed - 1 : lineFeed;
        byte[] line = new byte[end - start];
        in.readBytes(line);
        in.readerIndex(lineFeed + 1);
        count(1);
        List<byte[]> typed = InlineCommand.words(line);
        if (typed == null) {
            return fail("unbalanced quotes in request");
        } else if (typed.isEmpty()) {
            requestEnds();
            return true;
        }
        // A browser can be made to send a request to any port: a line that is plainly HTTP ends the connection before
        // its body, which might be commands.
        if (Words.is(typed.getFirst(), "post") || Words.is(typed.getFirst(), "host:")) {
            return fail("this is HTTP, and the port is for RESP");
        }
        claims(line.length + typed.size() * WORD_OVERHEAD_BYTES);
        complete(typed);
        return true;
    }

    /// The number behind the type at the reader index; then the index is behind the line.
    private static long number(ByteBuf in) {
        int start = in.readerIndex();
        int lineFeed = in.indexOf(start, Math.min(in.writerIndex(), start + MAX_NUMBER_LINE), Bytes.LF);
        if (lineFeed < 0) {
            return in.readableBytes() < MAX_NUMBER_LINE ? MORE : NO_NUMBER;
        }
        boolean negative = in.getByte(start + 1) == '-';
        long number = Bytes.decimal(in, start + (negative ? 2 : 1), lineFeed - 1);
        if (number < 0 || in.getByte(lineFeed - 1) != Bytes.CR) {
            return NO_NUMBER;
        }
        in.readerIndex(lineFeed + 1);
        return negative ? -number : number;
    }
}
