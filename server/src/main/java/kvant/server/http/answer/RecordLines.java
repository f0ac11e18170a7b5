package kvant.server.http.answer;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.ChangeBatch;
import kvant.server.request.Outcome;
import kvant.server.request.RecordBatch;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// Answers of many records in which each record is a line or an event: what stands around the values, which
/// are base64. Made as bytes, because they are many: base64 and numbers need no quoting.
final class RecordLines {

    private static final byte[] NDJSON_HEAD = ascii("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson");
    private static final String UNBUFFERED = "\r\nCache-Control: no-store\r\nX-Accel-Buffering: no";
    private static final byte[] CHANGES_HEAD =
            ascii("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson" + UNBUFFERED);
    private static final byte[] EVENTS_HEAD = ascii("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream" + UNBUFFERED);
    private static final byte[] VALUE_END = ascii("\"}\n");
    private static final byte[] DELETION_END = ascii("}\n");
    private static final byte[] EVENT_VALUE_END = ascii("\"}\n\n");
    private static final byte[] EVENT_DELETION_END = ascii("}\n\n");

    private RecordLines() {}

    /// Whether an answer has this form.
    static boolean are(Answer answer, RecordBatch batch) {
        return answer.form().ndjson() || batch instanceof ChangeBatch;
    }

    /// Status line and type, without the line end behind it.
    static byte[] head(RecordBatch batch) {
        return batch instanceof ChangeBatch changes ? changes.events() ? EVENTS_HEAD : CHANGES_HEAD : NDJSON_HEAD;
    }

    /// The text before the value of a record.
    static byte[] before(RecordBatch batch, int index) {
        StringBuilder line = new StringBuilder();
        boolean deletion = false;
        if (batch instanceof ChangeBatch changes) {
            deletion = changes.isDeletion(index);
            if (changes.events()) {
                line.append("id: ").append(changes.version(index)).append("\ndata: ");
            }
            line.append("{\"version\":").append(changes.version(index));
            line.append(changes.hasMore(index) ? ",\"more\":true,\"key\":\"" : ",\"key\":\"");
        } else {
            line.append("{\"key\":\"");
        }
        line.append(Base64.getEncoder().encodeToString(batch.key(index)));
        long expiresAtMillis = batch.expiresAtMillis(index);
        if (expiresAtMillis != 0) {
            line.append("\",\"expires\":").append(expiresAtMillis).append(",\"value\":\"");
        } else {
            line.append(deletion ? "\",\"deleted\":true" : "\",\"value\":\"");
        }
        return ascii(line.toString());
    }

    /// The text behind the value.
    static byte[] after(RecordBatch batch, int index) {
        if (!(batch instanceof ChangeBatch changes)) {
            return VALUE_END;
        }
        if (changes.isDeletion(index)) {
            return changes.events() ? EVENT_DELETION_END : DELETION_END;
        }
        return changes.events() ? EVENT_VALUE_END : VALUE_END;
    }

    static long base64Length(byte[] value) {
        return (value.length + 2L) / 3 * 4;
    }

    /// The mark of a round without new changes; null where no mark is due.
    static byte @Nullable [] mark(RecordBatch batch) {
        if (!(batch instanceof ChangeBatch changes) || changes.count() > 0 || changes.last()) {
            return null;
        }
        Json told = Json.line().open().put("upto", changes.upTo());
        String line = ahead(told, changes).close() + "\n";
        return ascii(changes.events() ? "id: " + changes.upTo() + "\nevent: mark\ndata: " + line + "\n" : line);
    }

    /// Adds the version that reads already see, if it is ahead of the durable one; its changes follow once they are
    /// durable.
    private static Json ahead(Json line, ChangeBatch changes) {
        return changes.visible() > changes.upTo() ? line.put("visible", changes.visible()) : line;
    }

    /// The final line, which states whether the answer is complete.
    static byte[] last(RecordBatch batch, long records, HiddenPaths paths) {
        Outcome.Failed failure = batch.failure();
        Json line = Json.line().open().put("complete", failure == null);
        if (batch instanceof ChangeBatch changes) {
            line.put("upto", changes.upTo());
            if (changes.gone()) {
                line.put("gone", true);
            }
            if (failure == null) {
                ahead(line, changes);
            }
        } else if (failure == null) {
            line.put("records", records);
        }
        Json whole = failure == null ? line : line.put("reason", paths.hide(failure.detail()));
        String text = whole.close() + "\n";
        boolean event = batch instanceof ChangeBatch changes && changes.events();
        return (event ? "event: end\ndata: " + text + "\n" : text).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
