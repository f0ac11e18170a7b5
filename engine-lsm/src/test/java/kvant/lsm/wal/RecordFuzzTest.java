package kvant.lsm.wal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.TreeMap;
import kvant.lsm.Fuzz;
import kvant.lsm.SampleStores;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.operate.Findings;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.version.Manifest;
import org.junit.jupiter.api.Test;

/// Logs and manifests in which the payload of one record is mutated under a checksum that is right.
class RecordFuzzTest {

    private static final int SMALLEST_BYTES = 3; // of a mutation: the deletion of a short key

    private final HeapStorage store = SampleStores.buildSeparated(1, new TreeMap<>());
    private final String log = store.list().stream()
            .filter(name -> FileNames.logNumber(name) != null)
            .toList()
            .getLast();

    @Test
    void aMutatedGroupIsDecodedOrRefused() {
        Fuzz.run(600, random -> {
            HeapStorage damaged = mutated(FileHeader.Kind.LOG, log, random);
            RecordReader records = reader(damaged, FileHeader.Kind.LOG, log);
            return Fuzz.isRefused(log, () -> {
                int[] left = {damaged.bytes(log).length / SMALLEST_BYTES};
                while (records.next()) {
                    ByteReader in = records.reader();
                    GroupDescriptor.decode(records, in, (_, _, _, at, length, _) -> {
                        in.bytesAt(at, length);
                        assertThat(--left[0]).isNotNegative();
                    });
                }
            });
        });
    }

    @Test
    void aStoreWithAMutatedGroupIsRecoveredOrRefused() throws IOException {
        SampleStores.forgetEndsOfLogs(store);
        Fuzz.run(50, random -> {
            HeapStorage damaged = mutated(FileHeader.Kind.LOG, log, random);
            Findings found = new Findings(damaged);
            boolean refused = Fuzz.isRefused(log, () -> Fuzz.open(damaged));
            assertThat(refused && found.problems.isEmpty())
                    .as("a refusal that the check does not foresee")
                    .isFalse();
            return refused;
        });
    }

    @Test
    void aStoreWithAMutatedEditIsOpenedOrRefused() {
        Fuzz.run(60, random -> {
            HeapStorage damaged = mutated(FileHeader.Kind.MANIFEST, FileNames.MANIFEST, random);
            Findings found = new Findings(damaged);
            boolean refused = Fuzz.isRefused(FileNames.MANIFEST, () -> Manifest.read(damaged))
                    || Fuzz.isRefused("heap/", () -> Fuzz.open(damaged));
            assertThat(refused && found.problems.isEmpty())
                    .as("a refusal that the check does not foresee")
                    .isFalse();
            return refused;
        });
    }

    /// Writes a file again. That of a manifest may also claim an older version.
    private HeapStorage mutated(FileHeader.Kind kind, String file, Random random) throws IOException {
        HeapStorage storage = store.copy();
        RecordReader records = reader(storage, kind, file);
        storage.delete(file);
        int victim = random.nextInt(4);
        FileHeader was = records.header();
        int version = was.version() == 1 || random.nextInt(8) > 0 ? was.version() : 1 + random.nextInt(2);
        FileHeader header = new FileHeader(kind, version, was.id(), was.number(), was.predecessor());
        try (RecordWriter writer = RecordWriter.create(storage, file, header, ByteBuffer.allocate(4_096))) {
            while (records.next()) {
                byte[] content = records.payload().toArray(ValueLayout.JAVA_BYTE);
                Payload payload = new Payload();
                payload.putArray(content.length > 0 && victim-- == 0 ? Fuzz.mutate(content, random) : content);
                writer.append(records.type(), records.firstSequence(), payload);
                writer.sync();
            }
        }
        return storage;
    }

    private static RecordReader reader(HeapStorage storage, FileHeader.Kind kind, String file) {
        return new RecordReader(MemorySegment.ofArray(storage.bytes(file)), kind, file);
    }
}
