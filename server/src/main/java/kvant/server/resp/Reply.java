package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is answered, before it is bytes.
public sealed interface Reply extends Action {

    int DONE = 200;

    /// Of an array, whatever is in it.
    int SLOT_BYTES = 8;

    int NOTHING_THERE = 404;

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

    /// An array of bulk strings, of which some may be null.
    record Bulks(List<byte @Nullable []> values) implements Reply {}

    /// Replies one after the other, which are one together.
    record Sequence(List<Reply> parts) implements Reply {

        /// An array of replies of any kind.
        static Sequence array(List<Reply> elements) {
            List<Reply> parts = new ArrayList<>();
            parts.add(Raw.of("*" + elements.size() + "\r\n"));
            for (Reply element : elements) {
                switch (element) {
                    case Sequence(List<Reply> inner) -> parts.addAll(inner);
                    case Bulks(List<byte @Nullable []> values) -> {
                        parts.add(Raw.of("*" + values.size() + "\r\n"));
                        values.forEach(value -> parts.add(value == null ? Plain.NIL : new Bulk(value)));
                    }
                    default -> parts.add(element);
                }
            }
            return new Sequence(parts);
        }
    }

    /// Replies that carry nothing.
    enum Plain implements Reply {
        OK,
        /// There is none, or a condition did not hold.
        NIL,
        /// The same in the place of an array.
        NO_ARRAY
    }

    /// Bytes that are kept for it alone.
    default long heldBytes() {
        return switch (this) {
            case Raw raw -> raw.bytes.length;
            case Bulk bulk -> bulk.value.length;
            case Bulks bulks -> (long) bulks.values.size() * SLOT_BYTES; // each value has a claim of its own
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

    /// Whether it tells of a failure.
    default boolean isError() {
        return this instanceof Raw(byte[] bytes, int _) && bytes.length > 0 && bytes[0] == '-';
    }
}
