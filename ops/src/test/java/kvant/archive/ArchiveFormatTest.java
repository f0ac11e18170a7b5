package kvant.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import kvant.archive.ArchiveIndex.Step;
import kvant.engine.Mutation;
import org.junit.jupiter.api.Test;

/// An archive of format version 1, byte by byte: every later version reads it.
class ArchiveFormatTest {

    private static final String IDENTITY = """
            kvant archive 1
            id=2f0c9c0e-7d0e-4b53-9a51-0c5a8b6d1e11
            sha256=62ffc01e82021ebd3fdcf9782cf022213a954599249205a35abb4b3b3912e29a
            """;

    private static final String EPOCH = """
            kvant archive 1
            parent=0
            nonce=6b1f3f62-6a4f-4c3e-8f0e-6f8f2a1c9d22
            millis=1795773600000
            by=host process 7
            sha256=85107f80331900980d49b7910ef7d7d448764ea9cafb2dba5c1e1e50365f7da3
            """;

    private static final String BEGINNING = """
            kvant archive 1
            from=0
            sha256=319fb676bc3b6c99dcd8c2b20811538d769ee4163f322d75afcc24b843740f86
            """;

    private static final String NAME =
            "log/00000001-00000000000000000-00000000000000003-001795773600000-001795773601000";

    private static final String CHANGES =
            "4b56414e54415243000000010000000100000000000000000100000001610000000131fe00000000"
                    + "00000001000001a21c72910010efd57f020000000162000001a21c737b600000000374776f000000"
                    + "000161fe0000000000000003000001a21c7294e892f69fc1ff00000000000000039418e34b";

    private static final Mutation PUT = new Mutation.Put("a".getBytes(UTF_8), "1".getBytes(UTF_8));
    private static final Mutation PASSING =
            new Mutation.Put("b".getBytes(UTF_8), "two".getBytes(UTF_8), 1_795_773_660_000L);
    private static final Mutation DELETE = new Mutation.Delete("a".getBytes(UTF_8));

    private static String text(Mutation mutation) {
        String key = new String(mutation.key(), UTF_8);
        return mutation instanceof Mutation.Put put
                ? key + "=" + new String(put.value(), UTF_8) + " " + put.expiresAtMillis()
                : key;
    }

    @Test
    void anArchiveOfVersion1IsRead() throws Exception {
        MemoryPlace place = new MemoryPlace();
        place.objects.put("archive", IDENTITY.getBytes(UTF_8));
        place.objects.put("epochs/00000001", EPOCH.getBytes(UTF_8));
        place.objects.put("begins/00000001", BEGINNING.getBytes(UTF_8));
        place.objects.put(NAME, HexFormat.of().parseHex(CHANGES));
        assertThat(EpochFormat.identity(place.open(""))).isEqualTo("2f0c9c0e-7d0e-4b53-9a51-0c5a8b6d1e11");
        ArchiveIndex index = ArchiveIndex.read(place.open(""), 0);
        assertThat(index.by()).isEqualTo("host process 7");
        assertThat(index.cover(0).end()).isEqualTo(3);
        List<String> read = new ArrayList<>();
        for (Step step : index.cover(0).steps()) {
            ArchiveRestore.read(place.open(""), step.object(), new ArchiveFormat.Visitor() {
                @Override
                public void mutation(Mutation mutation) {
                    read.add(text(mutation));
                }

                @Override
                public void group(long version, long millis) {
                    read.add(version + " at " + millis);
                }
            });
        }
        assertThat(read)
                .containsExactly(text(PUT), "1 at 1795773600000", text(PASSING), text(DELETE), "3 at 1795773601000");
    }

    @Test
    void itIsWrittenSo() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ArchiveFormat.Writer writer = new ArchiveFormat.Writer(out, 1, 0);
        writer.mutation(PUT);
        writer.group(1, 1_795_773_600_000L);
        writer.mutation(PASSING);
        writer.mutation(DELETE);
        writer.group(3, 1_795_773_601_000L);
        assertThat(writer.end().name()).isEqualTo(NAME);
        assertThat(HexFormat.of().formatHex(out.toByteArray())).isEqualTo(CHANGES);
        MemoryPlace place = new MemoryPlace();
        EpochFormat.create(
                place.open(""),
                new EpochFormat.Epoch(
                        1, 0, "6b1f3f62-6a4f-4c3e-8f0e-6f8f2a1c9d22", 1_795_773_600_000L, "host process 7"));
        assertThat(place.objects.get("epochs/00000001")).isEqualTo(EPOCH.getBytes(UTF_8));
    }
}
