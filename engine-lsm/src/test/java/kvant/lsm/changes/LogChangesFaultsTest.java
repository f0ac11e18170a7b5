package kvant.lsm.changes;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import kvant.engine.EngineException;
import kvant.engine.feed.ChangeCursor;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.HeapStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Those who wait for changes, or read them, while a write comes, the engine ends, a log is damaged, or they are
/// interrupted.
class LogChangesFaultsTest {

    private static final int MEMTABLE_BYTES = 300 << 10;

    @TempDir
    Path directory;

    @Test
    void whoeverWaitsIsWokenByTheNextWrite() throws Exception {
        try (LsmEngine engine = TestEngines.open(new HeapStorage(), SimOptions.of(1, "always", MEMTABLE_BYTES))) {
            AtomicBoolean woken = new AtomicBoolean();
            Thread waiter = Thread.ofPlatform().start(() -> {
                try {
                    engine.changes().await(0, TimeUnit.HOURS.toNanos(1));
                    woken.set(true);
                } catch (InterruptedException _) {
                    // Then it was not woken.
                }
            });
            await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
            write(engine, put("a", "1"));
            await().until(woken::get);
        }
    }

    /// A log that could not begin is deleted at once, maybe between the look for logs and their being opened.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLogThatGoesOnceItWasListedHidesNoOther(boolean onlyOnceOpened) {
        AtomicReference<String> listed = new AtomicReference<>();
        HeapStorage there = new HeapStorage();
        ForwardingStorage storage = new ForwardingStorage(there) {
            @Override
            public List<String> list() throws IOException {
                String file = listed.get();
                return file == null
                        ? super.list()
                        : Stream.concat(super.list().stream(), Stream.of(file)).toList();
            }

            @Override
            public long read(String name, long position, MemorySegment into) throws IOException {
                boolean isStillThere = onlyOnceOpened && name.equals(listed.get()) && position == 0;
                return super.read(isStillThere ? FileNames.log(1) : name, position, into);
            }
        };
        try (LsmEngine engine = TestEngines.open(storage, SimOptions.of(1, "always", MEMTABLE_BYTES))) {
            write(engine, put("a", "1"));
            listed.set(FileNames.log(1_000));
            FollowedCopy copy = new FollowedCopy();
            copy.follow(engine, 1 << 10);
            assertThat(copy.version()).isEqualTo(1);
        }
    }

    /// Changes before the damage are returned first, then its place is reported.
    @Test
    void aLogThatIsDamagedIsSaid() throws IOException {
        LsmOptions options = SimOptions.of(1, "always", MEMTABLE_BYTES).with(o -> o.retainedLogBytes = 1 << 30);
        try (LsmEngine engine = LsmEngine.open(directory, options)) {
            write(engine, put("a", "1"));
            write(engine, put("b", "to be damaged"));
            write(engine, put("c", "3"));
            damage("to be damaged");
            FollowedCopy copy = new FollowedCopy();
            ChangeCursor cursor = engine.changes().after(0);
            copy.read(cursor, 1 << 10);
            assertThat(copy.version()).isEqualTo(1);
            assertThatThrownBy(() -> copy.read(cursor, 1 << 10))
                    .isInstanceOf(EngineException.Gone.class)
                    .hasMessageContaining("the change behind version 1 is missing")
                    .hasMessageContaining("00000001.log nor in a log after it");
        }
    }

    private void damage(String text) throws IOException {
        byte[] sought = text.getBytes(StandardCharsets.ISO_8859_1);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".log")).toList()) {
                int at = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).indexOf(text);
                if (at >= 0) {
                    sought[0]++;
                    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                        channel.write(ByteBuffer.wrap(sought), at);
                    }
                    return;
                }
            }
        }
        throw new AssertionError("in no log of " + directory);
    }

    @Test
    void aReadThatIsInterruptedSaysSoAndGoesOnLater() {
        try (LsmEngine engine = LsmEngine.open(directory, SimOptions.of(1, "always", MEMTABLE_BYTES))) {
            write(engine, put("a", "1"));
            FollowedCopy copy = new FollowedCopy();
            ChangeCursor cursor = engine.changes().after(0);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> copy.read(cursor, 1 << 10))
                    .isInstanceOf(EngineException.Io.class)
                    .hasMessageContaining("was interrupted");
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
            copy.read(cursor, 0);
            assertThat(copy.version())
                    .as("one change at least, whatever is asked for")
                    .isEqualTo(1);
        }
    }

    @Test
    void whoeverWaitsIsWokenByTheEndOfTheEngine() throws Exception {
        LsmEngine engine = TestEngines.open(new HeapStorage(), SimOptions.of(1, "always", MEMTABLE_BYTES));
        CompletableFuture<Void> waited = new CompletableFuture<>();
        Thread waiter = Thread.ofPlatform().start(() -> {
            try {
                engine.changes().await(0, TimeUnit.HOURS.toNanos(1));
                waited.complete(null);
            } catch (InterruptedException e) {
                waited.completeExceptionally(e);
            }
        });
        await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
        engine.close();
        assertThat(waited).succeedsWithin(Duration.ofSeconds(30));
        engine.changes().await(0, TimeUnit.HOURS.toNanos(1)); // nor does anybody wait from now on
    }
}
