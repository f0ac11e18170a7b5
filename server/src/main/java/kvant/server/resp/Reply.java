package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A reply before its encoding as bytes.
public sealed interface Reply extends Action {

    int DONE = 200;
    int NOTHING_THERE = 404;

    /// Bytes charged for each slot of an array, regardless of its content.
    int SLOT_BYTES = 8;

    /// A reply as it goes out, such as an error or a map.
    record Raw(byte[] bytes, int status) implements Reply {

        static Raw of(String text) {
            return new Raw(text.getBytes(StandardCharsets.UTF_8), DONE);
        }
    }

    /// An integer.
    record Number(long value) implements Reply {}

    /// A bulk string.
    ///
    /// @param value may be shared with the engine, never to be changed
    record Bulk(byte[] value) implements Reply {}

    /// Replies one after the other, which are one together: the head of an array, and its elements.
    record Sequence(List<Reply> parts) implements Reply {

        static Reply head(int elements) {
            return Raw.of("*" + elements + "\r\n");
        }

        /// An array of replies of any kind.
        static Sequence array(List<Reply> elements) {
            List<Reply> parts = new ArrayList<>();
            parts.add(head(elements.size()));
            for (Reply element : elements) {
                if (element instanceof Sequence(List<Reply> inner)) {
                    parts.addAll(inner);
                } else {
                    parts.add(element);
                }
            }
            return new Sequence(parts);
        }
    }

    /// Replies that carry nothing.
    enum Plain implements Reply {
        OK,
        /// The value is absent, or a condition did not hold.
        NIL,
        /// The same in the place of an array.
        NO_ARRAY
    }

    /// Bytes that are kept for it alone.
    default long heldBytes() {
        return switch (this) {
            case Raw raw -> raw.bytes.length;
            case Bulk bulk -> bulk.value.length;
            case Sequence(List<Reply> parts) -> {
                long bytes = 0;
                for (Reply part : parts) {
                    bytes += SLOT_BYTES + part.heldBytes();
                }
                yield bytes;
            }
            case Number _, Plain _ -> 0;
        };
    }

    /// For the access log: what HTTP would answer to the same.
    default int status() {
        return this == Plain.NIL || this == Plain.NO_ARRAY ? NOTHING_THERE : DONE;
    }

    /// Whether it is an error reply.
    default boolean isError() {
        return this instanceof Raw(byte[] bytes, int _) && bytes.length > 0 && bytes[0] == '-';
    }
}
