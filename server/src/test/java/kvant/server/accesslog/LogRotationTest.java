package kvant.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import kvant.server.KeptLog;
import kvant.server.accesslog.AccessLog.LogRotation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The disk space of an access log, and the files that stay.
class LogRotationTest {

    static final LogRotation NONE = new LogRotation(LogRotation.NEVER, 1);

    private static final int MIB = 1 << 20;
    private static final LogRotation SMALL = new LogRotation(MIB, 2);

    @TempDir
    private Path folder;

    private final AtomicLong now = new AtomicLong();
    private final KeptLog log = new KeptLog();

    private Path path() {
        return folder.resolve("access.log");
    }

    private Path left(int number) {
        return folder.resolve("access.log." + number);
    }

    private AccessFile opened(LogRotation rotation) throws IOException {
        return new AccessFile(path(), rotation, AccessFile::append, log, now::get);
    }

    /// Half of what a file may have, a line that begins with this letter.
    private static ByteBuffer half(String letter) {
        String line = letter + "-".repeat(MIB / 2 - 2) + "\n";
        return ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
    }

    /// The first letters of its lines.
    private static String letters(Path file) throws IOException {
        StringBuilder letters = new StringBuilder();
        Files.readAllLines(file).forEach(line -> letters.append(line.charAt(0)));
        return letters.toString();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void noFileIsLongerThanItMayBeAndNoMoreStayThanAreKept() throws Exception {
        try (AccessFile file = opened(SMALL)) {
            for (String letter : "abcdefghi".split("")) {
                assertThat(file.write(half(letter))).isZero();
                assertThat(Files.size(path())).isLessThanOrEqualTo(MIB);
            }
        }
        assertThat(names()).containsExactly("access.log", "access.log.1", "access.log.2");
        assertThat(letters(path())).isEqualTo("i");
        assertThat(letters(left(1))).isEqualTo("gh");
        assertThat(letters(left(2))).isEqualTo("ef");
        assertThat(log.lines).isEmpty();
    }

    @Test
    void whatAnEarlierProcessHasWrittenCounts() throws Exception {
        try (AccessFile file = opened(SMALL)) {
            file.write(half("a"));
            file.write(half("b"));
        }
        try (AccessFile file = opened(SMALL)) {
            file.write(half("c"));
        }
        assertThat(letters(left(1))).isEqualTo("ab");
        assertThat(letters(path())).isEqualTo("c");
    }

    @Test
    void whatHasAHigherNumberThanAreKeptStays() throws Exception {
        for (int i = 1; i <= 5; i++) {
            Files.writeString(left(i), i + "\n");
        }
        try (AccessFile file = opened(new LogRotation(MIB, 3))) {
            for (String letter : "abc".split("")) {
                file.write(half(letter));
            }
        }
        assertThat(names()).hasSize(6).startsWith("access.log", "access.log.1").endsWith("access.log.5");
        assertThat(letters(left(1))).isEqualTo("ab");
        assertThat(letters(left(2))).isEqualTo("1");
        assertThat(letters(left(3))).isEqualTo("2");
        assertThat(letters(left(4))).isEqualTo("4");
        assertThat(letters(left(5))).isEqualTo("5");
    }

    /// As after a move that broke off before its last step.
    @Test
    void oneThatIsTriedAgainPushesNothingOut() throws Exception {
        Files.writeString(path(), "1\n");
        for (int i = 2; i <= 4; i++) {
            Files.writeString(left(i), i + "\n");
        }
        new LogRotation(MIB, 4).moveAway(path());
        for (int i = 1; i <= 4; i++) {
            assertThat(letters(left(i))).isEqualTo(Integer.toString(i));
        }
    }

    @Test
    void nothingIsLostWhereTheNewFileCannotBeMade() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        AccessFile.Opener opener = path -> {
            if (opened.incrementAndGet() == 2) {
                throw new FileSystemException(path.toString(), null, "Too many open files");
            }
            return AccessFile.append(path);
        };
        try (AccessFile file = new AccessFile(path(), SMALL, opener, log, now::get)) {
            for (String letter : "abc".split("")) {
                assertThat(file.write(half(letter))).isZero();
            }
            assertThat(letters(left(1))).isEqualTo("abc");
            assertThat(log.lines).singleElement().asString().contains("no new file", "Too many open files");
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertThat(file.write(half("d"))).isZero();
        }
        assertThat(letters(path())).isEqualTo("d");
        assertThat(letters(left(1))).isEqualTo("abc");
    }

    @Test
    void withoutABoundNothingIsMoved() throws Exception {
        try (AccessFile file = opened(NONE)) {
            for (String letter : "abcde".split("")) {
                file.write(half(letter));
            }
        }
        assertThat(names()).containsExactly("access.log");
    }

    /// Behind it may be a console, or another program's file.
    @Test
    void aLinkIsNotMoved() throws Exception {
        Path behind = Files.createFile(folder.resolve("behind"));
        Files.createSymbolicLink(path(), behind);
        try (AccessFile file = opened(SMALL)) {
            for (String letter : "abc".split("")) {
                file.write(half(letter));
            }
        }
        assertThat(names()).containsExactly("access.log", "behind");
        assertThat(letters(behind)).isEqualTo("abc");
    }

    @Test
    void aFileThatSomebodyElseHasCutOrMovedIsNotFull() throws Exception {
        try (AccessFile file = opened(SMALL)) {
            file.write(half("a"));
            file.write(half("b"));
            Files.write(path(), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
            file.write(half("c"));
            assertThat(names()).containsExactly("access.log");
            file.write(half("d"));
            Files.move(path(), folder.resolve("elsewhere"));
            file.write(half("e"));
        }
        assertThat(names()).containsExactly("access.log", "elsewhere");
        assertThat(letters(path())).isEqualTo("e");
        assertThat(log.lines).isEmpty();
    }

    @Test
    void oneThatCannotBeMovedIsWrittenOnAndMovedLater() throws Exception {
        Files.writeString(left(1), "1\n");
        Files.createDirectories(left(2).resolve("in-the-way"));
        try (AccessFile file = opened(SMALL)) {
            for (String letter : "abcd".split("")) {
                assertThat(file.write(half(letter))).isZero();
            }
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertThat(file.write(half("e"))).isZero();
            assertThat(log.lines).singleElement().asString().contains("cannot be moved away", path().toString());
            assertThat(letters(path())).isEqualTo("abcde");

            Files.delete(left(2).resolve("in-the-way"));
            Files.delete(left(2));
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertThat(file.write(half("f"))).isZero();
        }
        assertThat(letters(path())).isEqualTo("f");
        assertThat(letters(left(1))).isEqualTo("abcde");
        assertThat(letters(left(2))).isEqualTo("1");
    }

    @Test
    void boundsThatCannotBeKeptAreRefused() {
        for (long bytes : new long[] {-1, 1, MIB - 1}) {
            assertThatThrownBy(() -> new LogRotation(bytes, 4)).isInstanceOf(IllegalArgumentException.class);
        }
        for (int keep : new int[] {-1, 0, 1001}) {
            assertThatThrownBy(() -> new LogRotation(MIB, keep)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
