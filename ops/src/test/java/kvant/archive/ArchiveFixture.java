package kvant.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import kvant.engine.Cursor;
import kvant.engine.Durability;
import kvant.engine.Inspection;
import kvant.engine.Maintenance;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import kvant.engine.directory.ExaminedDirectory;
import kvant.engine.feed.ChangeFeed;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.operate.StoreInspection;

/// A store, what it held at each version, and its archive.
final class ArchiveFixture implements ArchivedStore, AutoCloseable {

    /// Everything is due at once.
    static final ArchiveOptions OPTIONS = ArchiveOptions.DEFAULT.with(o -> {
        o.interval = Duration.ofMillis(1);
        o.ackLimit = Duration.ofSeconds(20);
        o.objectBytes = 1 << 10;
        o.mergedBytes = 32 << 10;
        o.mergeCount = 4;
        o.leastLogBytes = 8 << 10;
        o.retryLongest = Duration.ofMillis(10);
        o.housekeeping = Duration.ZERO;
        o.closeLimit = Duration.ofSeconds(20);
    });

    static final LsmOptions LSM = LsmOptions.defaults()
            .withDurability(Durability.NONE)
            .withMemtable(64 << 10)
            .with(o -> o.heldLogBytes = 1L << 30);

    static final LsmOptions SYNCED = LSM.withDurability(Durability.ALWAYS);

    /// A clock that a test sets.
    static final class SetClock extends Clock {
        volatile long millis = Instant.parse("2026-11-27T10:00:00Z").toEpochMilli();

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    final SetClock clock;
    final ArchivePlace place;
    final Path data;
    final LsmEngine engine;

    /// The content of the store at each version at which a write ended.
    final TreeMap<Long, Map<String, String>> states;

    private final Path scratch;
    ArchiveOptions options = OPTIONS;

    ArchiveFixture(Path data, Path scratch, ArchivePlace place) {
        this(data, scratch, place, new TreeMap<>(Map.of(0L, Map.of())), new SetClock(), SYNCED);
    }

    ArchiveFixture(
            Path data,
            Path scratch,
            ArchivePlace place,
            TreeMap<Long, Map<String, String>> states,
            SetClock clock,
            LsmOptions options) {
        this.data = data;
        this.scratch = scratch;
        this.place = place;
        this.states = states;
        this.clock = clock;
        this.engine = LsmEngine.open(data, options);
    }

    @Override
    public Path data() {
        return data;
    }

    @Override
    public ChangeFeed changes() {
        return engine.changes();
    }

    @Override
    public void checkpoint(Work work) throws IOException {
        Path folder = Files.createTempDirectory(scratch, "checkpoint");
        Path path = folder.resolve("copy");
        Maintenance maintenance = Objects.requireNonNull(engine.maintenance());
        maintenance.checkpoint(path, _ -> {});
        try (ExaminedDirectory directory = ExaminedDirectory.open(path)) {
            double version = StoreInspection.of(directory).figures().stream()
                    .filter(figure -> figure.name().equals("flushed_sequence"))
                    .mapToDouble(Inspection.Figure::value)
                    .sum();
            work.with(path, (long) version);
        }
    }

    /// One that no thread runs.
    Archiver archiver() {
        return new Archiver(place, this, options, clock);
    }

    /// One whose threads pause between two looks at the archive.
    Archiver paced() {
        return new Archiver(place, this, options.with(o -> o.housekeeping = Duration.ofMillis(20)), clock);
    }

    /// An archive that has all.
    Archiver archived() throws IOException {
        Archiver archiver = archiver();
        archiver.round();
        keep(archiver);
        return archiver;
    }

    /// @return whether it worked
    static boolean worked(Archiver archiver) throws Ownership.Lost {
        try {
            archiver.round();
            return true;
        } catch (Ownership.Lost e) {
            throw e;
        } catch (IOException _) {
            return false;
        }
    }

    static void keep(Archiver archiver) throws IOException {
        Objects.requireNonNull(archiver.housekeeper).round();
    }

    long put(String key, String value) {
        return write(List.of(new Mutation.Put(key.getBytes(UTF_8), value.getBytes(UTF_8))));
    }

    long delete(String key) {
        return write(List.of(new Mutation.Delete(key.getBytes(UTF_8))));
    }

    long write(List<Mutation> mutations) {
        long version = Samples.write(engine, WriteBatch.of(mutations));
        Map<String, String> state = new TreeMap<>(states.lastEntry().getValue());
        for (Mutation mutation : mutations) {
            String key = new String(mutation.key(), UTF_8);
            if (mutation instanceof Mutation.Put put) {
                state.put(key, new String(put.value(), UTF_8));
            } else {
                state.remove(key);
            }
        }
        states.put(version, state);
        return version;
    }

    /// Writes some; each is larger than an object of these tests by half.
    void putSome(int count) {
        for (int i = 0; i < count; i++) {
            put("key" + (states.lastKey() + i) % 7, "value " + states.lastKey() + "x".repeat(700));
        }
    }

    ArchiveRestore restore(Path target) {
        return restore(place, target);
    }

    static ArchiveRestore restore(ArchivePlace place, Path target) {
        return new ArchiveRestore(place, target, data -> LsmEngine.open(data, LSM), _ -> {});
    }

    static Map<String, String> contents(LsmEngine engine) {
        Map<String, String> contents = new TreeMap<>();
        try (Cursor cursor = engine.scan(new byte[0], null)) {
            while (cursor.next()) {
                contents.put(new String(cursor.key(), UTF_8), new String(cursor.value(), UTF_8));
            }
        }
        return contents;
    }

    static Map<String, String> contents(Path data) {
        try (LsmEngine engine = LsmEngine.open(data, LSM)) {
            return contents(engine);
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
