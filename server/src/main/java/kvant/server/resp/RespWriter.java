package kvant.server.resp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.server.admit.MemoryBudget;
import kvant.server.http.answer.Answer;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.contract.Bytes;

/// A writer of the replies of one connection in RESP2 or RESP3, according to the protocol at the time of each
/// command.
///
/// The two differ in null, and in the types that only RESP3 has; see docs/resp.md.
public final class RespWriter extends AnswerWriter {

    private static final byte[] OK = ascii("+OK\r\n");
    private static final byte[] NIL_2 = ascii("$-1\r\n");
    private static final byte[] NO_ARRAY_2 = ascii("*-1\r\n");
    private static final byte[] NIL_3 = ascii("_\r\n");
    private static final byte[] LINE_END = ascii("\r\n");
    private static final int MAX_DIGITS = 20;

    /// What it writes.
    public interface RespAnswer extends Answer {

        Reply reply();

        /// Whether its client had asked for RESP3 when it sent the command.
        boolean isResp3();
    }

    // Constant.
    private final RespFigures figures;
    private final byte[] digits = new byte[MAX_DIGITS];

    // Owned by the event loop.
    private boolean begun;
    private boolean inValue;
    private int element;

    /// @param memory for replies that wait for a client that sends on without reading
    public RespWriter(Channel channel, MemoryBudget memory, RespFigures figures) {
        super(channel, memory);
        this.figures = figures;
    }

    @Override
    public boolean inMiddle() {
        return begun;
    }

    @Override
    public boolean write(Answer answer) {
        RespAnswer resp = reply(answer);
        Reply reply = resp.reply();
        boolean done = write(reply, resp.isResp3());
        begun = !done;
        if (done) {
            figures.replied(reply);
        }
        return done;
    }

    private boolean write(Reply reply, boolean resp3) {
        return switch (reply) {
            case Reply.Plain.OK -> plain(OK);
            case Reply.Plain.NIL -> plain(resp3 ? NIL_3 : NIL_2);
            case Reply.Plain.NO_ARRAY -> plain(resp3 ? NIL_3 : NO_ARRAY_2);
            case Reply.Number(long value) -> number(value);
            case Reply.Raw(byte[] bytes, int _) -> raw(bytes);
            case Reply.Bulk(byte[] value) -> bulk(value);
            case Reply.Sequence(List<Reply> parts) -> sequence(parts, resp3);
        };
    }

    @Override
    public int status(Answer answer) {
        return reply(answer).reply().status();
    }

    private static RespAnswer reply(Answer answer) {
        if (answer instanceof RespAnswer resp) {
            return resp;
        }
        throw new IllegalStateException("an answer to another protocol");
    }

    private boolean plain(byte[] bytes) {
        gather(bytes);
        return true;
    }

    private boolean number(long value) {
        header(':', value);
        return true;
    }

    private boolean raw(byte[] bytes) {
        begun = true;
        return pieces(bytes, bytes.length) && endOfValue();
    }

    private boolean bulk(byte[] value) {
        begun = true;
        if (!inValue) {
            header('$', value.length);
            inValue = true;
        }
        if (!pieces(value, value.length)) {
            return false;
        }
        gather(LINE_END);
        return endOfValue();
    }

    private boolean sequence(List<Reply> parts, boolean resp3) {
        begun = true;
        while (element < parts.size()) {
            if (!hasRoom() || !write(parts.get(element), resp3)) {
                return false;
            }
            element++;
        }
        element = 0;
        return true;
    }

    private boolean endOfValue() {
        inValue = false;
        beginAt(0);
        return true;
    }

    /// A line such as `$5`.
    private void header(char type, long number) {
        int at = Bytes.putDecimal(digits, MAX_DIGITS, number);
        ByteBuf out = buffer();
        out.writeByte(type);
        out.writeBytes(digits, at, MAX_DIGITS - at);
        gather(LINE_END);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
