package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import kvant.server.http.contract.Bytes;

/// Finds the lines of a message head in a buffer that grows, without reading a byte twice.
///
/// A line ends with CR LF, and with nothing else: a recipient that also accepts a bare LF can be made to see another
/// message than the proxy before it (RFC 9112, section 2.2 allows it; we do not). The result for a line never depends
/// on how its bytes were split over reads.
final class Lines {

    /// The line is not complete.
    static final int MORE = -1;
    /// The line is longer than allowed, complete or not.
    static final int TOO_LONG = -2;
    /// The line ends with a bare LF.
    static final int BARE_LF = -3;

    /// Bytes from the reader index on that hold no LF.
    private int scanned;

    /// @param max most bytes before CR LF
    /// @return index of the CR that ends the line at the reader index, or one of the constants
    int find(ByteBuf in, int max) {
        int start = in.readerIndex();
        int lf = in.indexOf(start + scanned, in.writerIndex(), Bytes.LF);
        int length = lf < 0 ? in.readableBytes() : lf - start;
        if (length > max + 1) {
            return TOO_LONG;
        }
        if (lf < 0) {
            scanned = length;
            return MORE;
        }
        scanned = 0;
        return lf > start && in.getByte(lf - 1) == Bytes.CR ? lf - 1 : BARE_LF;
    }

    /// Moves behind a line that [#find] found.
    static void skip(ByteBuf in, int end) {
        in.readerIndex(end + 2);
    }
}
