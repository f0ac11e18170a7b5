package kvant.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When files are read again, and what stays when they cannot be used.
class ReloadedTest {

    @TempDir
    Path folder;

    private final AtomicInteger loads = new AtomicInteger();

    private Reloaded<String> of(Path... files) throws InvalidFileException {
        return Reloaded.of("texts", List.of(files), () -> {
            loads.incrementAndGet();
            StringBuilder all = new StringBuilder();
            for (Path file : files) {
                String text = new String(GuardedFile.read("text", file));
                if (text.contains("worse")) {
                    throw new IllegalStateException("text " + file + " is worse than bad");
                }
                if (text.contains("bad")) {
                    throw new InvalidFileException("text " + file + " is bad");
                }
                all.append(text);
            }
            return all.toString();
        });
    }

    private static Map<String, Double> figures(Reloaded<?> reloaded) {
        Map<String, Double> figures = new HashMap<>();
        MetricSink sink = new MetricSink() {
            @Override
            public void counter(String name, String help, double value, String... labels) {
                figures.put(name + "/" + labels[labels.length - 1], value);
            }

            @Override
            public void gauge(String name, String help, double value, String... labels) {
                figures.put(name, value);
            }

            @Override
            public void histogram(String name, String help, Distribution values, String... labels) {
                throw new AssertionError(name);
            }
        };
        Reloaded.measure(reloaded, "texts", sink);
        return figures;
    }

    @Test
    void aChangeIsTakenUpOnceItIsSeenTwice() throws Exception {
        Path file = Files.writeString(folder.resolve("a"), "one");
        Reloaded<String> text = of(file);
        text.look();
        text.look();
        assertThat(loads).hasValue(1);

        Files.writeString(file, "two"); // of the same length, and perhaps of the same time
        text.look();
        assertThat(text.current()).isEqualTo("one");
        text.look();
        assertThat(text.current()).isEqualTo("two");
        text.look();
        assertThat(loads).hasValue(2);
    }

    @Test
    void filesThatBelongTogetherAreReadTogether() throws Exception {
        Path first = Files.writeString(folder.resolve("a"), "1");
        Path second = Files.writeString(folder.resolve("b"), "1");
        Reloaded<String> text = of(first, second);
        Files.writeString(first, "2");
        text.look();
        Files.writeString(second, "2");
        text.look();
        assertThat(text.current()).isEqualTo("11");
        text.look();
        assertThat(text.current()).isEqualTo("22");
        assertThat(loads).hasValue(2);
    }

    @Test
    void theLastGoodOneStaysAndItIsSaid() throws Exception {
        Path file = Files.writeString(folder.resolve("a"), "good");
        Reloaded<String> text = of(file);
        Files.writeString(file, "bad");
        text.look();
        text.look();
        text.look();
        assertThat(text.current()).isEqualTo("good");
        assertThat(loads).as("one attempt for one change").hasValue(2);
        assertThat(figures(text)).containsEntry("kvant_files_stale", 1.0);
        assertThat(figures(text)).containsEntry("kvant_files_read_again_total/failed", 1.0);

        Files.delete(file);
        text.look();
        text.look();
        Files.writeString(file, "worse");
        text.look();
        text.look();
        assertThat(text.current()).isEqualTo("good");
        assertThat(figures(text)).containsEntry("kvant_files_read_again_total/failed", 3.0);

        Files.writeString(file, "better");
        text.look();
        text.look();
        assertThat(text.current()).isEqualTo("better");
        assertThat(figures(text)).containsEntry("kvant_files_stale", 0.0);
        assertThat(figures(text)).containsEntry("kvant_files_read_again_total/ok", 1.0);
    }

    @Test
    void aLinkThatLeadsElsewhereIsAChange() throws Exception {
        Files.writeString(folder.resolve("one"), "1");
        Files.writeString(folder.resolve("two"), "2");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("one"));
        Reloaded<String> text = of(link);
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of("two"));
        text.look();
        text.look();
        assertThat(text.current()).isEqualTo("2");
    }

    @Test
    void whatCannotBeUsedAtStartIsRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("a"), "bad");
        assertThatThrownBy(() -> of(file)).isInstanceOf(InvalidFileException.class);
    }
}
