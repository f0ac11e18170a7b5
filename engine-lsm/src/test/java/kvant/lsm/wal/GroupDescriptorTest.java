package kvant.lsm.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.storage.HeapStorage;
import org.junit.jupiter.api.Test;

class GroupDescriptorTest {

    @Test
    void mutationsRoundTripWithTheirSequences() throws IOException {
        byte[] longKey = Samples.noise(64 << 10, 1);
        byte[] longValue = Samples.noise(100_000, 2);
        List<String> shown = decode(List.of(
                Samples.put("a", "1"),
                Samples.put("b", ""),
                Samples.delete("c"),
                new Mutation.Put(Samples.bytes("d"), Samples.bytes("x"), 77),
                new Mutation.Put(longKey, longValue)));
        assertThat(shown)
                .containsExactly(
                        "5 kind 1 a=1 at 0",
                        "6 kind 1 b= at 0",
                        "7 kind 0 c= at 0",
                        "8 kind 2 d=x at 77",
                        "9 kind 1 " + Samples.text(longKey) + "=" + Samples.text(longValue) + " at 0");
    }

    @Test
    void anUnknownKindIsDamageAndNotAValue() {
        assertThatThrownBy(() -> decode(new byte[] {3, 1, 'k', 1, 'v'}))
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining("unknown kind");
    }

    @Test
    void anEmptyKeyIsDamage() {
        assertThatThrownBy(() -> decode(new byte[] {0, 0})).isInstanceOf(EngineException.Corruption.class);
    }

    @Test
    void aGroupThatEndsWithinAMutationIsDamage() {
        byte[] whole = {2, 1, 'k', 1, 2, 3, 4, 5, 6, 7, 8, 2, 'v', 'w'};
        for (int length = 1; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> decode(cut)).as("%d bytes", length).isInstanceOf(EngineException.Corruption.class);
        }
    }

    private static List<String> decode(List<Mutation> mutations) throws IOException {
        Payload payload = new Payload();
        mutations.forEach(mutation -> GroupDescriptor.encode(mutation, payload));
        return decode(payload);
    }

    private static List<String> decode(byte[] content) throws IOException {
        Payload payload = new Payload();
        payload.putArray(content);
        return decode(payload);
    }

    private static List<String> decode(Payload payload) throws IOException {
        HeapStorage storage = new HeapStorage();
        FileHeader header = new FileHeader(FileHeader.Kind.LOG, 1, 1, FileHeader.Predecessor.NONE);
        RecordWriter writer = RecordWriter.create(storage, "log", header, ByteBuffer.allocate(100));
        writer.append(RecordType.GROUP, 5, payload);
        RecordReader reader = new RecordReader(MemorySegment.ofArray(storage.bytes("log")), FileHeader.Kind.LOG, "log");
        assertThat(reader.next()).isTrue();
        List<String> shown = new ArrayList<>();
        ByteReader in = reader.reader();
        long last = GroupDescriptor.decode(
                reader,
                in,
                (sequence, kind, key, valueAt, valueLength, expiresAtMillis) -> shown.add(sequence + " kind " + kind
                        + " " + Samples.text(key) + "=" + Samples.text(in.bytesAt(valueAt, valueLength)) + " at "
                        + expiresAtMillis));
        assertThat(last).isEqualTo(4 + shown.size());
        return shown;
    }
}
