package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The vocabulary of engine tests: keys, mutations, and questions to an engine.
public final class Samples {

    /// One record as a cursor shows it, comparable by content.
    public record Entry(String key, String value, long version) {}

    private Samples() {}

    /// The bound of a test's wait for something that must happen.
    public static long timeoutNanos() {
        return TimeUnit.SECONDS.toNanos(Long.getLong("kvant.timeout.seconds", 30));
    }

    /// One byte per character, so that a test can name any byte.
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    public static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Bytes that do not compress and depend on the seed.
    public static byte[] noise(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    public static Mutation put(String key, String value) {
        return new Mutation.Put(bytes(key), bytes(value));
    }

    public static Mutation delete(String key) {
        return new Mutation.Delete(bytes(key));
    }

    /// Writes one unconditional batch and waits.
    public static long write(Engine engine, Mutation... mutations) {
        return write(engine, WriteBatch.of(List.of(mutations)));
    }

    /// Writes a batch that must not be refused, and waits.
    public static long write(Engine engine, WriteBatch batch) {
        Write write = settle(engine, batch);
        assertThat(write.outcome()).as("outcome (%s)", write.failure()).isEqualTo(Write.Outcome.APPLIED);
        return write.version();
    }

    /// Submits a batch and waits, within the time limit, until it is settled.
    public static Write settle(Engine engine, WriteBatch batch) {
        RecordingSink sink = new RecordingSink();
        Write write = new Write(batch, sink);
        engine.submit(write);
        sink.awaitCompleted(1);
        return write;
    }

    /// The value as text, or null where absent. Checks on the way that other ways to look do not contradict.
    public static @Nullable String get(Engine engine, String key) {
        return valueOf(lookup(engine, bytes(key)));
    }

    public static Lookup lookup(Engine engine, byte[] key) {
        Lookup eager = engine instanceof LocalEngine local ? local.tryGet(key) : Lookup.Miss.WOULD_BLOCK;
        Lookup found = read(engine, key);
        assertThat(found).as("get never answers WOULD_BLOCK").isNotEqualTo(Lookup.Miss.WOULD_BLOCK);
        if (eager != Lookup.Miss.WOULD_BLOCK) {
            assertThat(shown(eager)).as("tryGet, compared with get").isEqualTo(shown(found));
        }
        if (engine instanceof LocalEngine local) {
            assertThat(shown(local.get(key, Lookup.Filter.NONE)))
                    .as("what is there, compared with get")
                    .isEqualTo(shown(found instanceof Lookup.Found value ? value.filtered(Lookup.Filter.NONE) : found));
        }
        return found;
    }

    /// The engine's answer, now or later.
    public static Lookup read(Engine engine, byte[] key) {
        return switch (engine) {
            case LocalEngine local -> local.get(key);
            case RemoteEngine remote -> ask(remote, key);
        };
    }

    private static Lookup ask(RemoteEngine engine, byte[] key) {
        CompletableFuture<Lookup> answer = new CompletableFuture<>();
        engine.submit(
                new Read(key) {
                    @Override
                    public void answered(Lookup lookup) {
                        answer.complete(lookup);
                    }

                    @Override
                    public void failed(EngineException reason) {
                        answer.completeExceptionally(reason);
                    }
                },
                Terms.USUAL);
        try {
            return answer.get(timeoutNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof EngineException reason) {
                throw reason;
            }
            throw new AssertionError(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("a read without an answer", e);
        }
    }

    public static @Nullable String valueOf(Lookup lookup) {
        return lookup instanceof Lookup.Found found ? text(found.value()) : null;
    }

    /// The version of a key that must be present.
    public static long version(Engine engine, String key) {
        Lookup lookup = lookup(engine, bytes(key));
        assertThat(lookup).isInstanceOf(Lookup.Found.class);
        return ((Lookup.Found) lookup).version();
    }

    /// Everything in `[from, to)`.
    public static List<Entry> scan(Engine engine, String from, @Nullable String to) {
        try (Cursor cursor = engine.scan(bytes(from), to == null ? null : bytes(to))) {
            return rest(cursor);
        }
    }

    /// The records of a range by [LocalEngine#tryScan], or null where it does not reach its end.
    public static @Nullable List<Entry> shortScan(LocalEngine engine, Range range, int maxBytes) {
        List<Entry> entries = new ArrayList<>();
        LocalEngine.Reach reach = engine.tryScan(
                range, maxBytes, (key, value, version, _) -> entries.add(new Entry(text(key), text(value), version)));
        return reach == LocalEngine.Reach.WHOLE ? entries : null;
    }

    /// The remaining records of a cursor.
    public static List<Entry> rest(Cursor cursor) {
        List<Entry> entries = new ArrayList<>();
        while (cursor.next()) {
            entries.add(new Entry(text(cursor.key()), text(cursor.value()), cursor.version()));
        }
        return entries;
    }

    public static List<String> keys(List<Entry> entries) {
        return entries.stream().map(Entry::key).toList();
    }

    private static String shown(Lookup lookup) {
        return switch (lookup) {
            case Lookup.Found found ->
                "version " + found.version() + ", " + found.value().length + " bytes, hash "
                        + Arrays.hashCode(found.value());
            case Lookup.Described described ->
                "version " + described.version() + ", " + described.length() + " bytes, not read";
            case Lookup.Miss miss -> miss.name();
        };
    }
}
