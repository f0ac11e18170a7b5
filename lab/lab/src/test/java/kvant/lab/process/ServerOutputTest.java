package kvant.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ServerOutputTest {

    @TempDir
    private Path folder;

    @Test
    void itsBeginAndItsEndAreToldApart() throws IOException {
        ServerOutput output = new ServerOutput(folder.resolve("log"));
        String line = "a line of the server\n";
        Files.writeString(output.file(), "listening\n" + line.repeat(10_000) + "kvant: no space");

        assertThat(output.begin()).hasSize(64 << 10).startsWith("listening\n");
        assertThat(output.end()).hasSize(16 << 10).endsWith(line + "kvant: no space");
    }

    @Test
    void whatAnotherRunLeftIsNotItsOwn() throws IOException {
        Path log = Files.writeString(folder.resolve("log"), "listening on http://127.0.0.1:1");

        ServerOutput output = new ServerOutput(log);

        assertThat(output.begin()).isEmpty();
        assertThat(output.end()).isEmpty();
    }

    @Test
    void aFileThatIsGoneSaysNothing() throws IOException {
        ServerOutput output = new ServerOutput(folder.resolve("log"));
        Files.delete(output.file());

        assertThat(output.begin()).isEmpty();
        assertThat(output.end()).isEmpty();
    }

    @Test
    @Timeout(60)
    void aServerThatTalksWithoutEndIsCutAndGoesOnAtTheEnd() throws Exception {
        try (ServerOutput output = new ServerOutput(folder.resolve("log"))) {
            Process process = new ProcessBuilder("sh", "-c", "read go; echo words")
                    .redirectOutput(output.redirect())
                    .start();
            output.keepBounded();
            Files.writeString(
                    output.file(), "a".repeat(2 * ServerOutput.LONGEST) + "\nno memory\n", StandardOpenOption.APPEND);
            await().until(() -> Files.size(output.file()) <= ServerOutput.LONGEST);

            assertThat(output.end()).as("what was cut off").endsWith("\nno memory\n");
            process.outputWriter().append("go\n").close();

            assertThat(process.waitFor()).isZero();
            assertThat(output.file()).hasSize(ServerOutput.LONGEST + "words\n".length());
            assertThat(output.end()).endsWith("words\n");
        }
    }
}
