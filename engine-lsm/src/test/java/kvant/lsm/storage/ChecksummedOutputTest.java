package kvant.lsm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChecksummedOutputTest {

    private static final int MIB = 1 << 20;

    private final List<String> calls = new ArrayList<>();

    @Test
    void theDiskBeginsWithEachPieceBeforeTheNextIsWritten() throws IOException {
        try (ChecksummedOutput out = new ChecksummedOutput(new RecordingStorage(), "f", 7)) {
            byte[] part = new byte[MIB / 4];
            for (int i = 0; i < 10; i++) {
                out.put(part, 0, part.length);
            }
            out.sync();
        }
        assertThat(calls)
                .containsExactly(
                        "write " + MIB,
                        "begin writeback",
                        "write " + MIB,
                        "begin writeback",
                        "write " + MIB / 2,
                        "sync");
    }

    private final class RecordingStorage extends ForwardingStorage {

        RecordingStorage() {
            super(new HeapStorage());
        }

        @Override
        public WritableFile create(String name) throws IOException {
            return new RecordingFile(super.create(name));
        }
    }

    private final class RecordingFile extends ForwardingFile {

        RecordingFile(WritableFile file) {
            super(file);
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            calls.add("write " + bytes.remaining());
            super.write(bytes);
        }

        @Override
        public void beginWriteback() {
            calls.add("begin writeback");
            super.beginWriteback();
        }

        @Override
        public void sync() throws IOException {
            calls.add("sync");
            super.sync();
        }
    }
}
