package kvant.lsm.example;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example of the document is the one that is compiled here, and does what it says.
class EmbeddedStoreTest {

    @TempDir
    Path folder;

    @Test
    void theExampleRuns() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        EmbeddedStore.run(folder.resolve("store"), new PrintStream(out, true, UTF_8));
        assertThat(out.toString(UTF_8).lines())
                .containsExactly("Ada Lovelace", "user:1 = Ada Lovelace", "user:2 = Charles");
    }

    @Test
    void theDocumentShowsTheExampleAsItIs() throws IOException {
        String source = Files.readString(Path.of("src/test/java/kvant/lsm/example/EmbeddedStore.java"));
        String example = source.substring(
                source.indexOf("// example: from here\n") + "// example: from here\n".length(),
                source.indexOf("    // example: to here"));
        String shown = example.lines()
                .map(line -> line.isEmpty() ? "" : line.substring("    ".length()))
                .collect(Collectors.joining("\n"));
        assertThat(Files.readString(Path.of("../docs/embedding.md"))).contains(shown.strip());
    }
}
