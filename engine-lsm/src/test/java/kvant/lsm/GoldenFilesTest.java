package kvant.lsm;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.Reading;
import kvant.lsm.record.Tag;
import kvant.lsm.record.ValuePointer;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.Table;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableSamples;
import kvant.lsm.value.ValueFile;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.value.ValueFiles;
import kvant.lsm.value.ValueReference;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.ManifestState;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.GroupDescriptor;
import kvant.lsm.wal.RecordReader;
import kvant.lsm.wal.RecordType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The formats as they are checked in: `v1` is what Kvant wrote while tables had version 1, `v2` until manifests had
/// version 3, `v3` what it writes. Logs and value files are the same in all.
class GoldenFilesTest {

    private static final String ROOT = "/golden/";
    private static final String NEWEST = "v3/";

    @Test
    void todaysCodeWritesTheSameBytes() throws IOException {
        String wanted = System.getProperty("kvant.golden.write");
        if (wanted != null) {
            GoldenFiles.write(Path.of(wanted));
        }
        for (var file : GoldenFiles.generate().entrySet()) {
            assertThat(HexFormat.of().formatHex(file.getValue()))
                    .as(file.getKey())
                    .isEqualTo(HexFormat.of().formatHex(golden(NEWEST + file.getKey())));
        }
    }

    @Test
    void theLogIsRead() throws IOException {
        RecordReader log = new RecordReader(
                MemorySegment.ofArray(golden(NEWEST + GoldenFiles.LOG)), FileHeader.Kind.LOG, GoldenFiles.LOG);
        assertThat(log.header().number()).isEqualTo(7);
        assertThat(log.header().predecessor()).isEqualTo(new FileHeader.Predecessor(5, 4_096, 0));
        List<String> shown = new ArrayList<>();
        int groups = 0;
        while (log.next() && log.type() == RecordType.GROUP) {
            groups++;
            ByteReader in = log.reader();
            GroupDescriptor.decode(
                    log,
                    in,
                    (sequence, kind, key, valueAt, valueLength, expiresAtMillis) ->
                            shown.add(shown(sequence, key, in.bytesAt(valueAt, valueLength), kind)
                                    + (kind == Tag.PUT_EXPIRING ? " until " + expiresAtMillis : "")));
        }
        assertThat(groups).isEqualTo(3);
        assertThat(log.type()).isEqualTo(RecordType.END);
        assertThat(log.next()).isFalse();
        assertThat(log.tornBytes()).isZero();
        assertThat(shown)
                .containsExactly(
                        "1: 6170706c65 = 3 bytes, kind 1",
                        "2: 62616e616e61 = 0 bytes, kind 1",
                        "3: 6170706c65 = 0 bytes, kind 0",
                        "4: 636865727279 = 4 bytes, kind 2 until " + SampleStores.NOW,
                        "5: 00ff = 200 bytes, kind 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v1/" + GoldenFiles.TABLE,
                "v1/" + GoldenFiles.LZ4_TABLE,
                "v1/" + GoldenFiles.ZSTD_TABLE,
                "v2/" + GoldenFiles.TABLE,
                "v2/" + GoldenFiles.LZ4_TABLE,
                "v2/" + GoldenFiles.ZSTD_TABLE,
                NEWEST + GoldenFiles.TABLE,
                NEWEST + GoldenFiles.LZ4_TABLE,
                NEWEST + GoldenFiles.ZSTD_TABLE
            })
    void theTableIsRead(String name) throws IOException {
        byte[] file = golden(name);
        HeapStorage storage = new HeapStorage().put(TableSamples.FILE, file);
        try (Table table = TableSamples.open(storage, GoldenFiles.TABLE_ID, file.length)) {
            assertThat(ListCursor.drain(table.cursor(), new byte[0])).isEqualTo(GoldenFiles.tableEntries());
            assertThat(table.properties().records()).isEqualTo(40);
            assertThat(table.properties().deletions()).isEqualTo(4);
            assertThat(table.properties().firstSequence()).isEqualTo(100);
            assertThat(table.properties().lastSequence()).isEqualTo(139);
            byte[] key = bytes("record-020");
            Lookup found = table.find(key, Keys.hash(key), Reading.by(InstantSource.system()), true);
            assertThat(found).isInstanceOf(Lookup.Found.class);
            assertThat(Samples.text(((Lookup.Found) found).value())).isEqualTo("value of 20");
        }
    }

    /// Only the third version knows where a log ends.
    @Test
    void theEndOfALogIsRead() throws IOException {
        HeapStorage storage = new HeapStorage().put(FileNames.MANIFEST, golden(NEWEST + GoldenFiles.MANIFEST));
        assertThat(Manifest.read(storage).log(3)).isEqualTo(GoldenFiles.FINISHED_LOG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1/", "v2/", NEWEST})
    void theManifestIsRead(String version) throws IOException {
        ManifestState state =
                Manifest.read(new HeapStorage().put(FileNames.MANIFEST, golden(version + GoldenFiles.MANIFEST)));
        assertThat(state.logs()).containsExactly(3L);
        assertThat(state.tables())
                .containsExactly(new TableInfo(2, 2, GoldenFiles.TABLE_ID, 2_000, 0x1234_5678, 139, List.of()));
        assertThat(state.flushedSequence()).isEqualTo(139);
        assertThat(state.nextFileNumber()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v2/", NEWEST})
    void aManifestWithValueFilesIsRead(String version) throws IOException {
        HeapStorage storage = new HeapStorage().put(FileNames.MANIFEST, golden(version + GoldenFiles.VALUES_MANIFEST));
        ManifestState state = Manifest.read(storage);
        assertThat(state.valueFiles()).hasSize(1);
        assertThat(state.valueFiles().getFirst().recordBytes()).isEqualTo(10_000);
        assertThat(state.tables()).hasSize(1);
        assertThat(state.tables().getFirst().values()).containsExactly(new ValueReference(3, 4, 9_000));
    }

    @Test
    void theValuesAreRead() throws IOException {
        byte[] file = golden(NEWEST + GoldenFiles.VALUES);
        HeapStorage storage = new HeapStorage().put(FileNames.values(7), file);
        long id = MemorySegment.ofArray(file).get(ByteReader.LONG, 16);
        ValueFiles files = new ValueFiles();
        try (ValueFile values = ValueFile.open(storage, new ValueFileInfo(7, id, file.length, 0, 2))) {
            files.add(7, values);
            List<ListCursor.Entry> stored = GoldenFiles.placed(new HeapStorage());
            assertThat(Samples.text(files.waiting().read(pointer(stored.get(0)))))
                    .isEqualTo("red as it gets");
            assertThat(Samples.text(files.waiting().read(pointer(stored.get(1)))))
                    .isEqualTo("blue for a while");
        }
    }

    private static ValuePointer pointer(ListCursor.Entry entry) {
        return ValuePointer.of(entry.tag(), entry.value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1/", "v2/", NEWEST})
    void aWholeStoreIsReadAndWrittenOn(String version, @TempDir Path directory) throws IOException {
        readAndWriteOn(version, directory, "store", GoldenFiles.storeContent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"v2/", NEWEST})
    void aStoreWithValueFilesIsReadAndWrittenOn(String version, @TempDir Path directory) throws IOException {
        readAndWriteOn(version, directory, "values-store", GoldenFiles.separatedContent());
    }

    private static void readAndWriteOn(String version, Path directory, String store, SortedMap<String, String> content)
            throws IOException {
        SortedMap<String, byte[]> files = GoldenFiles.generate();
        for (String name : files.keySet()) {
            if (name.startsWith(store + "/")) {
                Path path = directory.resolve(name);
                Files.createDirectories(path.getParent());
                Files.write(path, golden(version + name));
            }
        }
        LsmOptions options =
                LsmOptions.defaults().with(o -> o.clock = InstantSource.fixed(Instant.ofEpochMilli(SampleStores.NOW)));
        try (LocalEngine engine = LsmEngine.open(directory.resolve(store), options)) {
            assertThat(SampleStores.scan(engine)).isEqualTo(content);
            Mutation more = Samples.put("zebra", "new");
            Samples.write(engine, more);
            content.put("zebra", "new");
        }
        try (LocalEngine engine = LsmEngine.open(directory.resolve(store), options)) {
            assertThat(SampleStores.scan(engine)).isEqualTo(content);
        }
    }

    private static String shown(long sequence, byte[] key, byte[] value, int kind) {
        return sequence + ": " + HexFormat.of().formatHex(key) + " = " + value.length + " bytes, kind " + kind;
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in = GoldenFilesTest.class.getResourceAsStream(ROOT + name)) {
            assertThat(in).as("resource %s%s", ROOT, name).isNotNull();
            return in.readAllBytes();
        }
    }
}
