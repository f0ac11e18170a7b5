package kvant.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import kvant.server.KeptLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lines of the access log whose file is moved, removed, full or not writable.
class AccessFileTest {

    @TempDir
    private Path folder;

    private final AtomicLong now = new AtomicLong();
    private final KeptLog log = new KeptLog();

    private Path path() {
        return folder.resolve("access.log");
    }

    private AccessFile opened() throws IOException {
        return new AccessFile(path(), LogRotationTest.NONE, AccessFile::append, log, now::get);
    }

    private static ByteBuffer lines(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void seconds(long seconds) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void aFileThatWasMovedAwayIsLeftForANewOne() throws Exception {
        Path old = folder.resolve("access.log.1");
        try (AccessFile file = opened()) {
            assertThat(file.write(lines("one\n"))).isZero();
            Files.move(path(), old);
            assertThat(file.write(lines("two\n"))).isZero();
            seconds(1);
            assertThat(file.write(lines("three\n"))).isZero();
        }
        assertThat(old).hasContent("one\ntwo\n");
        assertThat(path()).hasContent("three\n");
        assertThat(log.lines).isEmpty();
    }

    @Test
    void aFileThatWasRemovedIsMadeAgainAlsoWhenNothingIsWritten() throws Exception {
        try (AccessFile file = opened()) {
            Files.delete(path());
            seconds(1);
            file.look();
            assertThat(path()).isEmptyFile();
        }
    }

    @Test
    void aFileThatWasCutInPlaceIsGoneOnWith() throws Exception {
        try (AccessFile file = opened()) {
            file.write(lines("one\n"));
            Files.write(path(), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
            file.write(lines("two\n"));
        }
        assertThat(path()).hasContent("two\n");
    }

    @Test
    void aFileIsAppendedToAndANewOneIsNotForEverybody() throws Exception {
        try (AccessFile file = opened()) {
            file.write(lines("one\n"));
        }
        try (AccessFile file = opened()) {
            file.write(lines("two\n"));
        }
        assertThat(path()).hasContent("one\ntwo\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
                .startsWith("rw-")
                .endsWith("---");
    }

    @Test
    void aFullDiskLosesLinesAndSaysSoOnceAMinute() throws Exception {
        Files.createSymbolicLink(path(), Path.of("/dev/full"));
        try (AccessFile file = opened()) {
            assertThat(file.write(lines("one\ntwo\n"))).isEqualTo(2);
            seconds(59);
            assertThat(file.write(lines("three\n"))).isEqualTo(1);
            assertThat(log.lines).singleElement().asString().contains("WARNING", path().toString(), "No space left");
            seconds(1);
            assertThat(file.write(lines("four\n"))).isEqualTo(1);
            assertThat(log.lines).hasSize(2);
            Files.delete(path());
            seconds(1);
            assertThat(file.write(lines("five\n"))).isZero();
        }
        assertThat(path()).hasContent("five\n");
        assertThat(log.lines).hasSize(2);
    }

    @Test
    void aDirectoryThatComesBackIsWrittenToAgain() throws Exception {
        Path directory = Files.createDirectory(folder.resolve("logs"));
        Path path = directory.resolve("access.log");
        try (AccessFile file = new AccessFile(path, LogRotationTest.NONE, AccessFile::append, log, now::get)) {
            Files.delete(path);
            Files.delete(directory);
            seconds(1);
            assertThat(file.write(lines("one\n"))).isEqualTo(1);
            assertThat(file.write(lines("two\n"))).isEqualTo(1);
            assertThat(log.lines).singleElement().asString().contains("its directory does not exist");
            Files.createDirectory(directory);
            seconds(1);
            assertThat(file.write(lines("three\n"))).isZero();
        }
        assertThat(path).hasContent("three\n");
    }

    @Test
    void aLineThatBrokeOffIsNotJoinedToTheNext() throws Exception {
        AtomicBoolean full = new AtomicBoolean();
        AccessFile.Opener opener = path -> new Breaking(AccessFile.append(path), full);
        try (AccessFile file = new AccessFile(path(), LogRotationTest.NONE, opener, log, now::get)) {
            full.set(true);
            assertThat(file.write(lines("first\nsecond\n"))).isEqualTo(1);
            assertThat(file.write(lines("third\n"))).isEqualTo(1);
            full.set(false);
            assertThat(file.write(lines("fourth\n"))).isZero();
        }
        assertThat(path()).hasContent("first\nsec\nfourth\n");
    }

    /// Takes nine bytes and no more while it is full.
    private record Breaking(FileChannel file, AtomicBoolean full) implements WritableByteChannel {

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            if (!full.get()) {
                return file.write(bytes);
            }
            if (file.size() >= 9) {
                throw new IOException("No space left on device");
            }
            int written = file.write(bytes.slice(bytes.position(), 9));
            bytes.position(bytes.position() + written);
            return written;
        }

        @Override
        public boolean isOpen() {
            return file.isOpen();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
