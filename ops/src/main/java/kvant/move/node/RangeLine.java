package kvant.move.node;

import java.io.IOException;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.text.JsonReader;
import org.jspecify.annotations.Nullable;

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
        Members members = new Members();
        try (JsonReader reader = JsonReader.of(line, length)) {
            for (String name = reader.nextName(); name != null; name = reader.nextName()) {
                members.read(name, reader);
            }
        } catch (IOException e) {
            throw unreadable(e);
        }
        return members.line();
    }

    /// What has been read of a line.
    final class Members {

        private byte @Nullable [] key;
        private byte @Nullable [] value;
        private long expiresAtMillis = Mutation.Put.NEVER;
        private @Nullable Boolean complete;
        private String reason = "";

        private void read(String name, JsonReader reader) throws IOException {
            switch (name) {
                case "key" -> key = reader.base64();
                case "value" -> value = reader.base64();
                case "expires" -> expiresAtMillis = reader.number();
                case "complete" -> complete = reader.bool();
                case "reason" -> reason = reader.string();
                default -> {} // a newer node says more
            }
        }

        private RangeLine line() {
            if (complete != null) {
                return complete ? new Complete() : new BrokenOff(reason);
            }
            if (key == null || value == null) {
                throw unreadable(null);
            }
            return new Value(key, value, expiresAtMillis);
        }
    }

    private static EngineException unreadable(@Nullable IOException cause) {
        return new EngineException.Io("the node answered a range with a line that is not in its format", cause);
    }
}
