package kvant.server.http.answer;

import java.nio.charset.StandardCharsets;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// The pieces of ND-JSON around keys and values. Written as bytes, because a range is many records: base64 and numbers
/// need no quoting.
final class NdjsonLine {

    static final byte[] KEY = ascii("{\"key\":\"");
    static final byte[] END = ascii("\"}\n");
    private static final byte[] VALUE = ascii("\",\"value\":\"");

    private NdjsonLine() {}

    /// What stands between key and value.
    static byte[] between(long expiresAtMillis) {
        return expiresAtMillis == 0 ? VALUE : ascii("\",\"expires\":" + expiresAtMillis + ",\"value\":\"");
    }

    static long base64Length(byte[] value) {
        return (value.length + 2L) / 3 * 4;
    }

    /// Says whether the range is complete.
    static byte[] last(Outcome.@Nullable Failed failure, long records, HiddenPaths paths) {
        Json line = Json.line().open().put("complete", failure == null);
        Json whole = failure == null ? line.put("records", records) : line.put("reason", paths.hide(failure.detail()));
        return (whole.close() + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
