package kvant.client;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvant.client.Calls.ClientCall.Effect;
import org.jspecify.annotations.Nullable;

/// The calls of the API. Features outside of them (keys in paths, parts of values, conditional reads, replicas) need
/// plain HTTP.
final class Calls {

    static final String ENTITY = "/v0/entity";
    static final String ENTITIES = "/v0/entities";
    static final String BATCH = "/v0/batch";

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int ACCEPTED = 202;
    private static final int NOT_FOUND = 404;

    private final int maxAnswerBytes;

    Calls(int maxAnswerBytes) {
        this.maxAnswerBytes = maxAnswerBytes;
    }

    ClientCall<Optional<Value>> get(Key key) {
        return new ClientCall<>(
                "GET", entity(key), List.of(), null, Effect.READ, Received.whole(maxAnswerBytes), Calls::value);
    }

    ClientCall<Optional<Description>> describe(Key key) {
        return new ClientCall<>(
                "HEAD", entity(key), List.of(), null, Effect.READ, Received.whole(0), Calls::description);
    }

    ClientCall<Version> put(Key key, byte[] value, PutOptions options) {
        String ttl = options.timeToLive()
                .map(time -> "&ttl=" + PutOptions.seconds(time))
                .orElse("");
        return new ClientCall<>(
                "PUT",
                entity(key) + ttl,
                headers(options.condition()),
                value,
                effect(options.condition()),
                Received.whole(0),
                response -> response.statusCode() == CREATED ? understood(version(response)) : null);
    }

    ClientCall<Void> delete(Key key, Condition condition) {
        return new ClientCall<>(
                "DELETE",
                entity(key),
                headers(condition),
                null,
                effect(condition),
                Received.whole(0),
                response -> done(response, ACCEPTED));
    }

    /// A batch takes no condition, so that it is idempotent.
    ClientCall<Void> write(Batch batch) {
        return new ClientCall<>(
                "POST",
                BATCH,
                List.of("Content-Type", "application/vnd.kvant.batch"),
                batch.body(),
                Effect.REPEATABLE_WRITE,
                Received.whole(0),
                response -> done(response, CREATED));
    }

    ClientCall<PacedInput> range(RangeQuery query) {
        String end = query.end().map(key -> "&end=" + key.encoded()).orElse("");
        String limit = query.limit().map(most -> "&limit=" + most).orElse("");
        return new ClientCall<>(
                "GET",
                ENTITIES + "?start=" + query.start().encoded() + end + limit,
                List.of("Accept", "application/x-ndjson"),
                null,
                Effect.READ,
                Received.streamed(),
                response -> understood(response.body().stream()));
    }

    private static String entity(Key key) {
        return ENTITY + "?id=" + key.encoded();
    }

    private static List<String> headers(Condition condition) {
        return condition.isNone() ? List.of() : List.of(condition.header(), condition.value());
    }

    private static Effect effect(Condition condition) {
        return condition.isNone() ? Effect.REPEATABLE_WRITE : Effect.CONDITIONAL_WRITE;
    }

    private static @Nullable Understood<Optional<Value>> value(HttpResponse<Received> response) {
        byte[] bytes = response.body().bytes();
        if (response.statusCode() == NOT_FOUND && Problem.of(NOT_FOUND, bytes).is("not-found")) {
            return new Understood<>(Optional.empty());
        }
        Version version = version(response);
        return response.statusCode() == OK && version != null
                ? new Understood<>(Optional.of(new Value(bytes, version)))
                : null;
    }

    /// The answer to a HEAD has no body that could say whether the 404 is a node's.
    private static @Nullable Understood<Optional<Description>> description(HttpResponse<Received> response) {
        if (response.statusCode() == NOT_FOUND) {
            return new Understood<>(Optional.empty());
        }
        OptionalLong length = response.headers().firstValueAsLong("Content-Length");
        Version version = version(response);
        return response.statusCode() == OK && length.isPresent() && version != null
                ? new Understood<>(Optional.of(new Description(length.getAsLong(), version)))
                : null;
    }

    private static @Nullable Version version(HttpResponse<Received> response) {
        return response.headers().firstValue("ETag").map(Version::ofTag).orElse(null);
    }

    private static @Nullable Understood<Void> done(HttpResponse<Received> response, int status) {
        return response.statusCode() == status ? new Understood<>(null) : null;
    }

    private static <T> @Nullable Understood<T> understood(@Nullable T found) {
        return found == null ? null : new Understood<>(found);
    }

    /// The caller's result.
    ///
    /// @param result null for a call that only tells that it was done
    record Understood<T>(@Nullable T result) {}

    /// One logical request to a node, over all its attempts.
    ///
    /// @param target path and query, relative to the path of the node
    /// @param headers names and values in turn
    /// @param body null for none
    /// @param effect decides whether the request may be sent again
    /// @param bodies body handler for the answer
    /// @param answer turns the answer into the caller's result
    record ClientCall<T>(
            String method,
            String target,
            List<String> headers,
            byte @Nullable [] body,
            Effect effect,
            BodyHandler<Received> bodies,
            Answer<T> answer) {

        /// Understands the answer that was asked for.
        interface Answer<T> {

            /// @return null where the answer is another one, such as a refusal
            @Nullable
            Understood<T> of(HttpResponse<Received> response);
        }

        /// The path without key and parameters, which must not be logged.
        String path() {
            int query = target.indexOf('?');
            return query < 0 ? target : target.substring(0, query);
        }

        /// The effect of a call, which decides whether it may be sent again.
        enum Effect {
            READ,
            /// Idempotent: a second execution leaves the same state as the first.
            REPEATABLE_WRITE,
            /// Not idempotent: a second execution is refused because of the first one's effect.
            CONDITIONAL_WRITE
        }
    }
}
