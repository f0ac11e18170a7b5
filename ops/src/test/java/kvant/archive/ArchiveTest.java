package kvant.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import kvant.archive.ArchiveRestore.RestorePoint;
import kvant.archive.ArchiveRestore.Restored;
import kvant.engine.Condition;
import kvant.engine.Cursor;
import kvant.engine.Limits;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Any version in an archive can be restored, and missing ones are reported.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ArchiveTest {

    private static final RestorePoint LATEST = new RestorePoint.Latest();

    @TempDir
    Path folder;

    private final MemoryPlace place = new MemoryPlace();
    private int restores;

    private ArchiveFixture fixture() {
        return new ArchiveFixture(folder.resolve("data"), folder, place);
    }

    private Path target() {
        return folder.resolve("restored" + restores++);
    }

    private List<String> logs() {
        return place.objects.keySet().stream()
                .filter(name -> name.startsWith("log/"))
                .toList();
    }

    @Test
    void everyVersionBehindTheBaseIsRestoredAsItWas() throws Exception {
        try (ArchiveFixture store = fixture()) {
            store.putSome(2);
            Archiver archiver = store.archived();
            for (int i = 0; i < 6; i++) {
                store.put("a", "value " + i);
                store.write(List.of(
                        new Mutation.Put(new byte[] {'b'}, ("b" + i).getBytes(UTF_8)),
                        new Mutation.Delete(new byte[] {'a'})));
                archiver.round();
            }
            for (long version : store.states.tailMap(2L).keySet()) {
                Path target = target();
                assertThat(store.restore(target)
                                .run(new RestorePoint.Version(version), 0)
                                .version())
                        .isEqualTo(version);
                assertThat(ArchiveFixture.contents(target)).isEqualTo(store.states.get(version));
            }
            Path half = target();
            long inBatch = store.states.lastKey() - 1;
            assertThat(store.restore(half)
                            .run(new RestorePoint.Version(inBatch), 0)
                            .version())
                    .as("no batch is restored half")
                    .isEqualTo(inBatch - 1);
        }
    }

    @Test
    void versionsExpiriesConditionsAndTheLongestValuesStayWhatTheyWere() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.archived();
            byte[] longValue = new byte[Limits.DEFAULT.maxValueBytes()]; // 64 MiB
            longValue[longValue.length - 1] = 7;
            store.write(List.of(
                    new Mutation.Put("long".getBytes(UTF_8), longValue),
                    new Mutation.Put("passing".getBytes(UTF_8), "x".getBytes(UTF_8), 4_000_000_000_000L),
                    new Mutation.Put("empty".getBytes(UTF_8), new byte[0])));
            byte[] key = "conditional".getBytes(UTF_8);
            long created = store.put("conditional", "1");
            WriteBatch refused = WriteBatch.put(key, key).when(new Condition.VersionIs(created - 1));
            assertThat(Samples.settle(store.engine, refused).outcome()).isEqualTo(Write.Outcome.REFUSED);
            archiver.round();
            for (boolean fromBase : List.of(false, true)) { // of the objects alone, which a newer base would hide
                if (fromBase) {
                    ArchiveFixture.keep(archiver);
                }
                Path target = target();
                store.restore(target).run(LATEST, 0);
                try (LsmEngine restored = LsmEngine.open(target, ArchiveFixture.LSM)) {
                    assertThat(records(restored)).isEqualTo(records(store.engine));
                    assertThat(restored.get("long".getBytes(UTF_8)))
                            .isInstanceOfSatisfying(
                                    Lookup.Found.class,
                                    found -> assertThat(found.value()).isEqualTo(longValue));
                    assertThat(restored.changes().visible())
                            .isEqualTo(store.engine.changes().visible());
                    assertThat(Samples.settle(restored, refused).outcome()).isEqualTo(Write.Outcome.REFUSED);
                    WriteBatch applied = WriteBatch.put(key, key).when(new Condition.VersionIs(created));
                    assertThat(Samples.settle(restored, applied).outcome()).isEqualTo(Write.Outcome.APPLIED);
                }
            }
        }
    }

    private static Map<String, String> records(LsmEngine engine) {
        Map<String, String> records = new TreeMap<>();
        try (Cursor cursor = engine.scan(new byte[0], null)) {
            while (cursor.next()) {
                records.put(
                        new String(cursor.key(), UTF_8),
                        cursor.version() + " " + cursor.expiresAtMillis() + " " + cursor.value().length);
            }
        }
        return records;
    }

    @Test
    void aTimeIsTheLastVersionNotBehindItWhateverTheClockDid() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.archived();
            long begin = store.clock.millis;
            Map<Long, Long> versions = new HashMap<>();
            for (long seconds : List.of(1L, 2L, 3L, 100L, 50L, 51L, 120L)) { // it jumps, and comes back
                store.clock.millis = begin + seconds * 1000;
                versions.put(seconds, store.put("at", seconds + " s"));
                archiver.round();
                ArchiveFixture.keep(archiver);
            }
            Map<Long, Long> wanted = Map.of(2L, 2L, 60L, 51L, 100L, 51L, 119L, 51L, 120L, 120L, 9_999L, 120L);
            wanted.forEach((asked, found) -> {
                Restored restored = restored(store, new RestorePoint.Time(begin + asked * 1000));
                assertThat(restored.version()).as("%d s", asked).isEqualTo(versions.get(found));
            });
            assertThatThrownBy(() -> store.restore(target()).run(new RestorePoint.Time(begin - 1), 0))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("the first state that can be restored is version 0");
        }
    }

    private Restored restored(ArchiveFixture store, RestorePoint point) {
        try {
            return store.restore(target()).run(point, 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anObjectThatIsCutFlippedOrDeletedIsNamedWithTheLastStateThatCanBeRestored() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.archived();
            List<Long> ends = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ends.add(store.put("key" + i, "value".repeat(20)));
                archiver.round();
            }
            String second = logs().get(1);
            byte[] sound = place.objects.get(second);
            for (int at = 0; at < sound.length; at++) {
                byte[] flipped = sound.clone();
                flipped[at] ^= 1;
                assertNamed(store, second, flipped, ends.getFirst());
                byte[] cut = Arrays.copyOf(sound, at);
                assertNamed(store, second, cut, at > sound.length - 13 ? ends.get(1) : ends.getFirst());
            }
            place.objects.put(second, sound);
            assertThat(ArchiveRestore.verify(place, _ -> {})).isZero();
            place.objects.remove(second);
            long last = ends.getFirst();
            assertThatThrownBy(() -> store.restore(target()).run(LATEST, 0))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("version " + (last + 1) + " is missing")
                    .hasMessageContaining("--version " + last);
            List<String> problems = new ArrayList<>();
            assertThat(ArchiveRestore.verify(place, problems::add)).isEqualTo(1);
            assertThat(problems.getFirst()).contains("the changes after version " + last + " are missing");
            Path target = target();
            store.restore(target).run(new RestorePoint.Version(last), 0);
            assertThat(ArchiveFixture.contents(target)).isEqualTo(store.states.get(last));
        }
    }

    /// Without a restore of the whole: it would be one for each byte.
    private void assertNamed(ArchiveFixture store, String name, byte[] damaged, long last) {
        place.objects.put(name, damaged);
        List<String> problems = new ArrayList<>();
        try {
            ArchiveRestore.verify(place, problems::add);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (UserException e) {
            problems.add(e.getMessage()); // of a newer version
        }
        assertThat(problems).as(store.data() + " " + damaged.length).hasSize(1);
        assertThat(problems.getFirst()).contains(name);
        if (!problems.getFirst().contains("newer") && !problems.getFirst().contains("format version")) {
            assertThat(problems.getFirst()).contains("--version ");
            long said = Long.parseLong(problems.getFirst().replaceAll(".*--version (\\d+).*", "$1"));
            assertThat(said).isBetween(last, last + 1);
        }
    }

    @Test
    void aRestoreThatWasBrokenOffIsRepeated() throws Exception {
        try (ArchiveFixture store = fixture()) {
            store.putSome(3);
            Archiver archiver = store.archived();
            store.putSome(5);
            archiver.round();
            Path target = target();
            String last = logs().getLast();
            place.fault = (_, name, _) -> {
                if (name.equals(last)) {
                    throw new IOException("the target has gone");
                }
            };
            assertThatThrownBy(() -> store.restore(target).run(LATEST, 0)).hasMessageContaining("has gone");
            assertThat(target).doesNotExist();
            place.fault = null;
            // As SIGKILL leaves it: some files are there, and no store.
            Files.createDirectories(target.resolve("restoring/lsm"));
            Files.writeString(target.resolve("restoring/lsm/MANIFEST"), "half");
            Files.writeString(target.resolve("EXPIRY"), "moved up already");
            store.restore(target).run(LATEST, 0);
            assertThat(ArchiveFixture.contents(target))
                    .isEqualTo(store.states.lastEntry().getValue());
            assertThat(target.resolve("restoring")).doesNotExist();
            assertThatThrownBy(() -> store.restore(target).run(LATEST, 0))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("is not empty");
        }
    }

    @Test
    void aDamagedBaseIsLeftForTheOneBefore() throws Exception {
        try (ArchiveFixture store = fixture()) {
            store.putSome(3);
            Archiver archiver = store.archived();
            store.putSome(30);
            archiver.round();
            ArchiveFixture.keep(archiver);
            store.putSome(2);
            archiver.round();
            List<String> bases = place.objects.keySet().stream()
                    .filter(name -> name.startsWith("base/backups/"))
                    .toList();
            assertThat(bases)
                    .as("one more, as the objects have outgrown the first")
                    .hasSize(2);
            place.objects.put(bases.getLast(), "damaged".getBytes(UTF_8));
            Path target = target();
            store.restore(target).run(LATEST, 0);
            assertThat(ArchiveFixture.contents(target))
                    .isEqualTo(store.states.lastEntry().getValue());
        }
    }

    @Test
    void whatIsOlderThanIsKeptGoesAndTheRestIsStillRestored() throws Exception {
        try (ArchiveFixture store = fixture()) {
            store.options = ArchiveFixture.OPTIONS.with(o -> o.keep = Duration.ofHours(1));
            store.archived();
            List<Long> ends = new ArrayList<>();
            for (int day = 1; day <= 4; day++) { // a new process each day, as its clock does not jump
                store.clock.millis += Duration.ofDays(1).plusMinutes(1).toMillis();
                store.putSome(3);
                store.archived();
                store.clock.millis += Duration.ofMinutes(30).toMillis();
                store.putSome(3);
                ends.add(store.states.lastKey());
                store.archived();
            }
            ArchiveIndex report = ArchiveIndex.read(place.open(""), 0);
            assertThat(report.usableBases()).hasSizeLessThan(4);
            assertThat(place.open("base").list("backups")).hasSameSizeAs(report.usableBases());
            assertThat(report.isWhole()).isTrue();
            assertThat(report.spans()).as("all behind the oldest base").hasSize(1);
            assertThat(report.usableBases().getFirst().version()).isGreaterThan(ends.getFirst());
            assertThat(place.open("").list("epochs").size()).isLessThan(9);
            for (long version : store.states
                    .tailMap(report.usableBases().getFirst().version())
                    .keySet()) {
                Path target = target();
                store.restore(target).run(new RestorePoint.Version(version), 0);
                assertThat(ArchiveFixture.contents(target)).isEqualTo(store.states.get(version));
            }
            assertThat(ArchiveRestore.verify(
                            place, problem -> assertThat(problem).isEmpty()))
                    .isZero();
        }
    }

    @Test
    void aClockThatJumpsForwardDeletesNothing() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.archived();
            store.putSome(30); // more than the base: a new one is made
            archiver.round();
            ArchiveFixture.keep(archiver);
            store.clock.millis += Duration.ofDays(400).toMillis();
            ArchiveFixture.keep(archiver);
            store.archived(); // a new process
            assertThat(ArchiveIndex.read(place.open(""), 0).usableBases()).hasSize(2);
            Path target = target();
            store.restore(target).run(new RestorePoint.Version(2), 0);
            assertThat(ArchiveFixture.contents(target)).isEqualTo(store.states.get(2L));
        }
    }

    @Test
    void manySmallObjectsBecomeFewLongOnesAndNothingIsLost() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.archived();
            for (int i = 0; i < 40; i++) {
                store.put("key" + i % 5, "value " + i);
                archiver.round();
                if (i % 3 == 0) {
                    ArchiveFixture.keep(archiver);
                }
            }
            ArchiveFixture.keep(archiver);
            ArchiveFixture.keep(archiver); // deletes what the one before has merged
            assertThat(logs()).hasSizeLessThan(8);
            for (long version : List.of(1L, 7L, 23L, 40L)) {
                Path target = target();
                store.restore(target).run(new RestorePoint.Version(version), 0);
                assertThat(ArchiveFixture.contents(target)).isEqualTo(store.states.get(version));
            }
        }
    }

    @Test
    void aDamagedObjectIsNotMerged() throws Exception {
        try (ArchiveFixture store = fixture()) {
            Archiver archiver = store.archived();
            for (int i = 0; i < 6; i++) {
                store.put("key" + i, "value");
                archiver.round();
            }
            List<String> before = logs();
            byte[] damaged = place.objects.get(before.get(2)).clone();
            damaged[damaged.length / 2] ^= 1;
            place.objects.put(before.get(2), damaged);
            ArchiveFixture.keep(archiver);
            assertThat(logs()).isEqualTo(before);
        }
    }
}
