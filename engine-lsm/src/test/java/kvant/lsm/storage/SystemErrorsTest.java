package kvant.lsm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import kvant.lsm.storage.StorageFullException.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Errors of a full disk, quota or file size are recognised in any language.
class SystemErrorsTest {

    private static final Path FILE = Path.of("/store/lsm/00000007.log");

    /// As glibc has them in German.
    private static final Map<Integer, String> GERMAN = Map.of(
            28, "Auf dem Gerät ist kein Speicherplatz mehr verfügbar",
            122, "Der zugewiesene Plattenplatz (Quota) ist überschritten",
            69, "Der zugewiesene Plattenplatz (Quota) ist überschritten",
            27, "Die Datei ist zu groß",
            24, "Zu viele offene Dateien",
            23, "Zu viele offene Dateien im System");

    private final SystemErrors german = new SystemErrors(GERMAN::get);
    private final SystemErrors unknown = new SystemErrors(_ -> null);

    @Test
    void theLimitIsToldInTheLanguageOfTheProcess() {
        assertLimit(german, inGerman(28), Limit.DISK);
        assertLimit(german, inGerman(122), Limit.QUOTA);
        assertLimit(german, inGerman(27), Limit.FILE_SIZE);
        for (int number : new int[] {23, 24}) {
            assertThat(explained(german, new IOException(inGerman(number)))).isInstanceOf(NoDescriptorException.class);
        }
    }

    @Test
    void englishIsKnownWhereTheLibraryCannotBeAsked() {
        for (SystemErrors errors : List.of(german, unknown)) {
            assertLimit(errors, "No space left on device", Limit.DISK);
            assertLimit(errors, "Disk quota exceeded", Limit.QUOTA);
            assertLimit(errors, "File too large", Limit.FILE_SIZE);
            assertThat(explained(errors, new IOException("Too many open files in system")))
                    .isInstanceOf(NoDescriptorException.class);
        }
    }

    @Test
    void everythingElseStaysWhatItIs() {
        for (IOException other : List.of(
                new IOException("Input/output error"),
                new IOException(),
                new FileSystemException("/data/No space left on device", null, "Permission denied"),
                new FileSystemException("/data/No space left on device"))) {
            assertThat(explained(unknown, other)).isSameAs(other);
        }
        IOException named = new FileSystemException("/data/a", null, "No space left on device");
        assertThat(explained(unknown, named)).isInstanceOf(StorageFullException.class);
    }

    @Test
    void whetherItWasALogIsToldByTheName() {
        IOException full = new IOException("File too large");
        for (String log : new String[] {"00000007.log", FileNames.LOG_NEXT}) {
            assertThat(isOfLog(full, log)).as(log).isTrue();
        }
        for (String other : new String[] {"00000007.table", FileNames.MANIFEST, "7.log"}) {
            assertThat(isOfLog(full, other)).as(other).isFalse();
        }
    }

    /// The JDK and the C library have the same words for the same error.
    @Test
    @EnabledOnOs(OS.LINUX)
    void theLibraryIsAsked() {
        assertThat(SystemErrors.words(28)).isEqualTo(LimitedFiles.fullDevice().getMessage());
    }

    /// The process speaks another language where that is installed, and English else.
    @ParameterizedTest
    @ValueSource(strings = {"", "de", "ru"})
    @EnabledOnOs(OS.LINUX)
    void realErrorsAreTold(String language, @TempDir Path directory) throws IOException, InterruptedException {
        Path printed = directory.resolve("printed");
        Process process =
                child(language, directory).redirectOutput(printed.toFile()).start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        assertThat(ended).isTrue();
        String output = Files.readString(printed, StandardCharsets.UTF_8);
        assertThat(output.lines())
                .as(output)
                .anyMatch(line -> line.startsWith("DISK_FULL: "))
                .anyMatch(line -> line.startsWith("FILE_SIZE of a log: "));
        assertThat(process.exitValue()).as(output).isZero();
    }

    /// Its files may have 4 MiB: `ulimit -f` counts in 512 bytes.
    private static ProcessBuilder child(String language, Path directory) {
        ProcessBuilder builder = new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -f 8192 && exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-Dstdout.encoding=UTF-8",
                "-cp",
                System.getProperty("java.class.path"),
                LimitedFiles.class.getName(),
                directory.resolve("store").toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("LANGUAGE", language);
        return builder.redirectErrorStream(true);
    }

    private static String inGerman(int number) {
        return Objects.requireNonNull(GERMAN.get(number));
    }

    private static boolean isOfLog(IOException e, String name) {
        return DiskStorage.explained(e, FILE.resolveSibling(name), SystemErrors.OF_PROCESS)
                        instanceof StorageFullException full
                && full.isOfLog();
    }

    private static void assertLimit(SystemErrors errors, String said, Limit limit) {
        assertThat(explained(errors, new IOException(said)))
                .isInstanceOfSatisfying(
                        StorageFullException.class,
                        full -> assertThat(full.limit()).isEqualTo(limit))
                .hasMessageEndingWith(" for " + FILE);
    }

    private static IOException explained(SystemErrors errors, IOException e) {
        return DiskStorage.explained(e, FILE, errors);
    }
}
