package kvant.lsm;

import static kvant.engine.Samples.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.RecordView;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.Compression;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableWriter;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.value.ValueFiles;
import kvant.lsm.value.ValueOptions;
import kvant.lsm.value.ValueReference;
import kvant.lsm.value.ValueSeparation;
import kvant.lsm.version.LogInfo;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.version.WrittenRun;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.GroupDescriptor;
import kvant.lsm.wal.Payload;
import kvant.lsm.wal.RecordType;
import kvant.lsm.wal.RecordWriter;

/// Makes the files that are checked in as `golden/v3`: the same bytes each time.
///
/// `./mvnw test -pl engine-lsm -am -Dtest=GoldenFilesTest -Dkvant.golden.write=DIRECTORY` writes them. Files of a
/// released version are never rewritten: a new format is a new version, with files of its own.
public final class GoldenFiles {

    static final String LOG = "sample.log";
    static final String TABLE = "sample.table";
    /// Only read: the library may come to compress otherwise.
    static final String LZ4_TABLE = "sample-lz4.table";

    /// Only read, too.
    static final String ZSTD_TABLE = "sample-zstd.table";

    static final String MANIFEST = "sample.manifest";

    static final String VALUES_MANIFEST = "sample-values.manifest";

    static final String VALUES = "sample.values";

    static final long TABLE_ID = 0x0123_4567_89AB_CDEFL;
    private static final long LOG_ID = 0xFEDC_BA98_7654_3210L;
    private static final long STORE_SEED = 2_025;

    /// The last log of the sample manifest.
    static final LogInfo FINISHED_LOG = new LogInfo(3, LOG_ID + 1, 2_016, 159);

    /// The groups of the sample log: the first has sequence 1.
    static final List<List<Mutation>> GROUPS = List.of(
            List.of(Samples.put("apple", "red")),
            List.of(
                    Samples.put("banana", ""),
                    Samples.delete("apple"),
                    new Mutation.Put(bytes("cherry"), bytes("dark"), SampleStores.NOW)),
            List.of(new Mutation.Put(new byte[] {0, (byte) 0xFF}, new byte[200])));

    private GoldenFiles() {}

    /// All files by their path beneath `golden/v3`.
    static SortedMap<String, byte[]> generate() throws IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        files.put(LOG, log());
        files.put(TABLE, table());
        files.put(MANIFEST, manifest());
        files.put(VALUES_MANIFEST, valuesManifest());
        files.put(VALUES, values());
        files.put("store/KVANT", "kvant data directory\nlayout=1\nengine=lsm\n".getBytes(StandardCharsets.US_ASCII));
        HeapStorage store = SampleStores.build(STORE_SEED, new TreeMap<>());
        for (String file : store.list()) {
            files.put("store/lsm/" + file, store.bytes(file));
        }
        files.put("values-store/KVANT", files.get("store/KVANT"));
        HeapStorage separated = SampleStores.buildSeparated(STORE_SEED, new TreeMap<>());
        for (String file : separated.list()) {
            files.put("values-store/lsm/" + file, separated.bytes(file));
        }
        return files;
    }

    static void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.write(directory.resolve(LZ4_TABLE), table(Compression.LZ4));
        Files.write(directory.resolve(ZSTD_TABLE), table(Compression.ZSTD));
        for (var file : generate().entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }

    /// The content of the sample store with value files.
    static SortedMap<String, String> separatedContent() {
        SortedMap<String, String> content = new TreeMap<>();
        SampleStores.buildSeparated(STORE_SEED, content);
        return content;
    }

    /// The content of the sample store.
    static SortedMap<String, String> storeContent() {
        SortedMap<String, String> content = new TreeMap<>();
        SampleStores.build(STORE_SEED, content);
        return content;
    }

    /// The records of the sample table: shared prefixes, several blocks and restart points, every kind.
    static List<Entry> tableEntries() {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            byte[] key = bytes("record-%03d".formatted(i));
            long sequence = 100 + i;
            entries.add(
                    switch (i % 10) {
                        case 3 -> new Entry(key, Tag.of(sequence, Tag.DELETE), new byte[0]);
                        case 7 -> new Entry(key, Tag.of(sequence, Tag.PUT_EXPIRING), bytes("\0\0\0\0\0\1\0\0soon"));
                        case 9 -> new Entry(key, Tag.of(sequence, Tag.PUT), new byte[0]);
                        default -> new Entry(key, Tag.of(sequence, Tag.PUT), bytes("value of " + i));
                    });
        }
        return entries;
    }

    private static byte[] log() throws IOException {
        HeapStorage storage = new HeapStorage();
        FileHeader header = new FileHeader(FileHeader.Kind.LOG, LOG_ID, 7, new FileHeader.Predecessor(5, 4_096, 0));
        try (RecordWriter writer = RecordWriter.create(storage, LOG, header, ByteBuffer.allocate(1_000))) {
            Payload payload = new Payload();
            long sequence = 1;
            for (List<Mutation> group : GROUPS) {
                payload.clear();
                group.forEach(mutation -> GroupDescriptor.encode(mutation, payload));
                writer.append(RecordType.GROUP, sequence, payload);
                writer.sync();
                sequence += group.size();
            }
            payload.clear();
            writer.append(RecordType.END, sequence, payload);
        }
        return storage.bytes(LOG);
    }

    private static byte[] table() throws IOException {
        return table(Compression.NONE);
    }

    private static byte[] table(Compression compression) throws IOException {
        HeapStorage storage = new HeapStorage();
        try (TableWriter writer = new TableWriter(storage, TABLE, TABLE_ID, 512, compression)) {
            ListCursor records = new ListCursor(tableEntries());
            for (boolean on = records.seek(new byte[0]); on; on = records.next()) {
                writer.add(records);
            }
            writer.finish();
        }
        return storage.bytes(TABLE);
    }

    private static byte[] manifest() throws IOException {
        HeapStorage storage = new HeapStorage();
        try (Manifest manifest = new Manifest(storage, new Random(STORE_SEED), 1 << 20, Manifest.read(storage))) {
            long log = manifest.nextFileNumber();
            manifest.append(VersionEdit.logs(new LogInfo(log, LOG_ID), List.of()));
            long table = manifest.nextFileNumber();
            long nextLog = manifest.nextFileNumber();
            manifest.append(
                    VersionEdit.logChanged(new LogInfo(log, LOG_ID, 1_000, 139), new LogInfo(nextLog, LOG_ID + 1)));
            manifest.append(VersionEdit.flush(
                    new WrittenRun(List.of(new TableInfo(table, table, TABLE_ID, 2_000, 0x1234_5678, 139, List.of()))),
                    List.of(log),
                    139));
            manifest.append(VersionEdit.logFinished(FINISHED_LOG));
        }
        return storage.bytes(FileNames.MANIFEST);
    }

    /// The records whose values the sample value file holds.
    static List<Entry> valueEntries() {
        return List.of(
                new Entry(bytes("apple"), Tag.of(1, Tag.PUT), bytes("red as it gets")),
                new Entry(bytes("plum"), Tag.of(2, Tag.PUT_EXPIRING), bytes("\0\0\0\0\0\1\0\0blue for a while")));
    }

    /// The records that a table stores for them, with references instead of values.
    static List<Entry> placed(HeapStorage storage) throws IOException {
        List<Entry> stored = new ArrayList<>();
        ValueSeparation.Plan plan = new ValueSeparation.Plan(ValueOptions.DEFAULT.from(1), new ValueFiles(), Set.of());
        try (ValueSeparation separation =
                new ValueSeparation(storage, new Random(STORE_SEED), () -> 7, plan, new ArrayList<>())) {
            ListCursor records = new ListCursor(valueEntries());
            for (boolean on = records.seek(new byte[0]); on; on = records.next()) {
                RecordView placed = separation.place(records);
                stored.add(new Entry(placed.key(), placed.tag(), placed.storedValue()));
            }
            separation.finish();
        }
        return stored;
    }

    private static byte[] values() throws IOException {
        HeapStorage storage = new HeapStorage();
        placed(storage);
        return storage.bytes(FileNames.values(7));
    }

    private static byte[] valuesManifest() throws IOException {
        HeapStorage storage = new HeapStorage();
        try (Manifest manifest = new Manifest(storage, new Random(STORE_SEED), 1 << 20, Manifest.read(storage))) {
            TableInfo table =
                    new TableInfo(2, 2, TABLE_ID, 2_000, 0x1234_5678, 139, List.of(new ValueReference(3, 4, 9_000)));
            ValueFileInfo values = new ValueFileInfo(3, LOG_ID, 10_064, 0x0BAD_CAFE, 5);
            manifest.append(VersionEdit.flush(new WrittenRun(List.of(table), List.of(values)), List.of(), 139));
        }
        return storage.bytes(FileNames.MANIFEST);
    }
}
