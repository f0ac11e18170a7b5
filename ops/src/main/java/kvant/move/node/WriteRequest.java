package kvant.move.node;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import kvant.engine.Mutation;
import org.jspecify.annotations.Nullable;

/// Some mutations as one HTTP request: PUT or DELETE of the entity where there is one, else a batch.
///
/// An end becomes a life time, counted from when the request arrives, in seconds rounded up: a value lives up to a
/// second and the way of the request longer, and never less, unless more is left than any node takes. What has expired
/// already is left out.
record WriteRequest(String method, String path, byte[] body) {

    static final String BATCH_TYPE = "application/vnd.kvant.batch";

    private static final String BATCH_PATH = "/v0/batch";
    private static final long MILLIS_PER_SECOND = 1000;
    private static final long NO_TTL = -1;
    private static final long GONE = 0;
    private static final byte[] NO_BODY = {};

    /// @return null when nothing of it is left
    static @Nullable WriteRequest of(List<Mutation> mutations, InstantSource clock) {
        long nowMillis = clock.millis();
        if (mutations.size() == 1) {
            return entity(mutations.getFirst(), nowMillis);
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Mutation mutation : mutations) {
            append(body, mutation, nowMillis);
        }
        return body.size() == 0 ? null : new WriteRequest("POST", BATCH_PATH, body.toByteArray());
    }

    /// Whether it is of [#BATCH_TYPE], which it must say.
    boolean isBatch() {
        return path.equals(BATCH_PATH);
    }

    private static @Nullable WriteRequest entity(Mutation mutation, long nowMillis) {
        String path = "/v0/entity?id=" + KeyText.encode(mutation.key());
        return switch (mutation) {
            case Mutation.Delete _ -> new WriteRequest("DELETE", path, NO_BODY);
            case Mutation.Put put -> {
                long ttl = ttlSeconds(put, nowMillis);
                yield ttl == GONE
                        ? null
                        : new WriteRequest("PUT", ttl == NO_TTL ? path : path + "&ttl=" + ttl, put.value());
            }
        };
    }

    /// As docs/formats/batch.md has it.
    private static void append(ByteArrayOutputStream body, Mutation mutation, long nowMillis) {
        byte[] key = mutation.key();
        switch (mutation) {
            case Mutation.Delete _ -> {
                text(body, "delete " + key.length + "\n");
                body.writeBytes(key);
                body.write('\n');
            }
            case Mutation.Put put -> {
                long ttl = ttlSeconds(put, nowMillis);
                if (ttl == GONE) {
                    return;
                }
                String end = ttl == NO_TTL ? "\n" : " " + ttl + "\n";
                text(body, "put " + key.length + " " + put.value().length + end);
                body.writeBytes(key);
                body.writeBytes(put.value());
                body.write('\n');
            }
        }
    }

    private static long ttlSeconds(Mutation.Put put, long nowMillis) {
        if (put.expiresAtMillis() == Mutation.Put.NEVER) {
            return NO_TTL;
        }
        long left = put.expiresAtMillis() - nowMillis;
        long seconds = left / MILLIS_PER_SECOND + (left % MILLIS_PER_SECOND == 0 ? 0 : 1);
        return left <= 0 ? GONE : Math.min(seconds, Mutation.Put.MAX_LIFE_SECONDS);
    }

    private static void text(ByteArrayOutputStream body, String text) {
        body.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
