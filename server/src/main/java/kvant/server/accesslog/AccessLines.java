package kvant.server.accesslog;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Lays a note out as a line: that of the combined format of web servers with more behind it, or an object. Times are
/// in whole microseconds, and the time of day, of the end of the answer, is UTC. Belongs to one thread.
final class AccessLines {

    private static final long NANOS_PER_MICRO = 1000;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final DateTimeFormatter IN_TEXT =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss '+0000'", Locale.ENGLISH);
    private static final DateTimeFormatter IN_JSON =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ENGLISH);
    private static final String MICRO_DIGITS = "000000";

    private final boolean json;
    private final DateTimeFormatter format;
    private long second = Long.MIN_VALUE;
    private String time = "";

    AccessLines(AccessLogStyle style) {
        json = style == AccessLogStyle.JSON;
        format = json ? IN_JSON : IN_TEXT;
    }

    /// @param endedMicros since 1970
    void put(AccessNote note, long endedMicros, LineBuffer out) {
        if (json) {
            json(note, endedMicros, out);
        } else {
            text(note, endedMicros, out);
        }
        out.endLine();
    }

    private void text(AccessNote note, long endedMicros, LineBuffer out) {
        AccessNote.Asked asked = note.asked;
        out.quote(asked.client()).say(" - ").quote(asked.token());
        out.say(" [").say(timeOf(endedMicros)).say("] \"").say(asked.method()).say(" ");
        target(asked, out);
        out.say(" ").say(asked.protocol()).say("\" ").decimal(note.status);
        out.say(" ").decimal(note.bytes).say(" \"-\" \"-\" ").decimal(micros(note.totalNanos()));
        AccessNote.Stages stages = note.stages;
        out.say(" read=").decimal(micros(stages.read())).say(" queue=").decimal(micros(stages.queue()));
        out.say(" engine=").decimal(micros(stages.engine())).say(" deliver=").decimal(micros(stages.deliver()));
        out.say(" write=").decimal(micros(stages.write()));
        out.say(" id=").quote(note.trace.id()).say(" trace=");
        out.say(note.trace.parent() == null ? "-" : note.trace.traceText());
    }

    private void json(AccessNote note, long endedMicros, LineBuffer out) {
        AccessNote.Asked asked = note.asked;
        String fraction = Long.toString(endedMicros % MICROS_PER_SECOND);
        out.say("{\"time\":\"").say(timeOf(endedMicros)).say(".");
        out.say(MICRO_DIGITS.substring(fraction.length())).say(fraction).say("Z\",\"client\":\"");
        out.quote(asked.client()).say("\",\"token\":\"").quote(asked.token());
        out.say("\",\"method\":\"").say(asked.method()).say("\",\"target\":\"");
        target(asked, out);
        out.say("\",\"protocol\":\"").say(asked.protocol()).say("\",\"status\":");
        out.decimal(note.status).say(",\"bytes\":").decimal(note.bytes);
        AccessNote.Stages stages = note.stages;
        out.say(",\"micros\":{\"total\":").decimal(micros(note.totalNanos()));
        out.say(",\"read\":").decimal(micros(stages.read())).say(",\"queue\":").decimal(micros(stages.queue()));
        out.say(",\"engine\":").decimal(micros(stages.engine()));
        out.say(",\"deliver\":").decimal(micros(stages.deliver()));
        out.say(",\"write\":").decimal(micros(stages.write()));
        out.say("},\"requestId\":\"").quote(note.trace.id());
        out.say("\",\"traceId\":\"").say(note.trace.traceText()).say("\"}");
    }

    private static void target(AccessNote.Asked asked, LineBuffer out) {
        out.say(asked.path().isEmpty() ? "-" : asked.path());
        if (!asked.parameter().isEmpty()) {
            out.say("?").say(asked.parameter()).say("=").key(asked.key(), AccessNote.KEY_BYTES);
        }
    }

    private String timeOf(long micros) {
        long now = Math.floorDiv(micros, MICROS_PER_SECOND);
        if (now != second) {
            second = now;
            time = format.format(Instant.ofEpochSecond(now).atOffset(ZoneOffset.UTC));
        }
        return time;
    }

    private static long micros(long nanos) {
        return nanos / NANOS_PER_MICRO;
    }
}
