package kvant.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.EOFException;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The lines of an answer to a range: records, and a last one that says whether that was all. Members that a newer node
/// adds are passed over.
final class RangeLines implements AutoCloseable {

    static final JsonFactory JSON = new JsonFactory();

    /// Bytes of a line besides its value: Base64 has four bytes for three, and the key, the names and the parser's
    /// read-ahead are added.
    private static final int MOST_BESIDE_VALUE = 256 << 10;

    private final PacedInput input;
    private final int mostLineBytes;
    private @Nullable JsonParser parser;
    private long records;

    /// A line: of a record, or the last one where there is no record in it.
    ///
    /// @param reason why the range is not complete; null in the last line of one that is
    record Line(
            @Nullable Key key,
            byte[] value,
            Optional<Instant> expires,
            @Nullable String reason) {}

    /// @param maxValueBytes beyond which a record is refused
    RangeLines(PacedInput input, int maxValueBytes) {
        this.input = input;
        this.mostLineBytes = (int) Math.min(Integer.MAX_VALUE, maxValueBytes * 4L / 3 + MOST_BESIDE_VALUE);
    }

    /// @param deadline of [System#nanoTime]
    /// @throws IOException where the answer ends or breaks, or is none that this understands
    Line next(long deadline) throws IOException {
        input.allow(deadline, mostLineBytes);
        JsonParser json = parser == null ? JSON.createParser(input) : parser; // it reads at once
        parser = json;
        JsonToken token = json.nextToken();
        if (token != JsonToken.START_OBJECT) {
            throw token == null
                    ? new EOFException("the range ended without its last line")
                    : new IOException("the node answered a range with a line that is not in its format");
        }
        byte[] key = null;
        byte[] value = null;
        Optional<Instant> expires = Optional.empty();
        Boolean complete = null;
        long counted = 0;
        String reason = "";
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            json.nextToken();
            switch (name) {
                case "key" -> key = json.getBinaryValue();
                case "value" -> value = json.getBinaryValue();
                case "expires" -> expires = Optional.of(Instant.ofEpochMilli(json.getLongValue()));
                case "complete" -> complete = json.getBooleanValue();
                case "records" -> counted = json.getLongValue();
                case "reason" -> reason = json.getValueAsString("");
                default -> json.skipChildren();
            }
        }
        return complete == null ? record(key, value, expires) : last(json, complete, counted, reason);
    }

    private Line record(byte @Nullable [] key, byte @Nullable [] value, Optional<Instant> expires) throws IOException {
        if (key == null || value == null) {
            throw new IOException("the node answered a range with a record without key or value");
        }
        if (key.length == 0 || key.length > Key.MAX_BYTES) {
            throw new IOException("the node answered a range with a key of " + key.length + " bytes");
        }
        records++;
        return new Line(Key.of(key), value, expires, null);
    }

    private Line last(JsonParser json, boolean isComplete, long counted, String reason) {
        try {
            json.nextToken(); // the end of the answer: the connection can be used again when it has been read
        } catch (IOException e) {
            input.close(); // nothing is missing but that
        }
        if (isComplete && counted != records) {
            return end("the node counts " + counted + " records, and " + records + " came");
        }
        return end(isComplete ? null : reason);
    }

    private static Line end(@Nullable String reason) {
        return new Line(null, new byte[0], Optional.empty(), reason);
    }

    /// Lets the connection go. Closing the parser would close the input too, and may fail at it.
    @Override
    public void close() {
        input.close();
    }
}
