package kvant.move.node;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import kvant.engine.EngineException;
import kvant.engine.Mutation;

/// A line of a range: a record, or the last one, which says whether that was all.
///
///     {"key":"BASE64","value":"BASE64"}
///     {"key":"BASE64","expires":MILLIS,"value":"BASE64"}
///     {"complete":true,"records":N}
///     {"complete":false,"reason":"TEXT"}
sealed interface RangeLine {

    record Value(byte[] key, byte[] value, long expiresAtMillis) implements RangeLine {}

    record Complete() implements RangeLine {}

    record BrokenOff(String reason) implements RangeLine {}

    /// @throws EngineException.Io when it is none of these
    static RangeLine parse(byte[] line, int length) {
        return new Parser(line, length).line();
    }

    /// Reads from left to right.
    final class Parser {

        private final byte[] line;
        private final int length;
        private int at;

        private Parser(byte[] line, int length) {
            this.line = line;
            this.length = length;
        }

        private RangeLine line() {
            if (skip("{\"key\":\"")) {
                byte[] key = base64();
                long end = Mutation.Put.NEVER;
                if (skip(",\"expires\":")) {
                    end = number();
                }
                if (skip(",\"value\":\"")) {
                    byte[] value = base64();
                    if (skip("}") && at == length) {
                        return new Value(key, value, end);
                    }
                }
            } else if (skip("{\"complete\":true,")) {
                return new Complete();
            } else if (skip("{\"complete\":false,\"reason\":\"")) {
                return new BrokenOff(new String(line, at, Math.max(0, length - at - 2), StandardCharsets.UTF_8));
            }
            throw unreadable();
        }

        private boolean skip(String text) {
            int end = at + text.length();
            if (end > length) {
                return false;
            }
            for (int i = 0; i < text.length(); i++) {
                if (line[at + i] != text.charAt(i)) {
                    return false;
                }
            }
            at = end;
            return true;
        }

        private long number() {
            long number = 0;
            while (at < length && line[at] >= '0' && line[at] <= '9') {
                number = number * 10 + line[at++] - '0';
            }
            return number;
        }

        /// Up to a quotation mark, which is passed over.
        private byte[] base64() {
            int end = at;
            while (end < length && line[end] != '"') {
                end++;
            }
            if (end == length) {
                throw unreadable();
            }
            ByteBuffer bytes;
            try {
                bytes = Base64.getDecoder().decode(ByteBuffer.wrap(line, at, end - at));
            } catch (IllegalArgumentException _) {
                throw unreadable();
            }
            at = end + 1;
            return bytes.remaining() == bytes.array().length
                    ? bytes.array()
                    : Arrays.copyOf(bytes.array(), bytes.remaining());
        }

        private static EngineException unreadable() {
            return new EngineException.Io("the node answered a range with a line that is not in its format", null);
        }
    }
}
