package kvant.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AwakeProcessorsTest {

    @TempDir
    private Path folder;

    @Test
    void theDeviceIsAskedForNoLatency() throws IOException {
        Path device = Files.createFile(folder.resolve("cpu_dma_latency"));

        AwakeProcessors.hold(device, driver("haltpoll")).close();

        assertThat(device).hasBinaryContent(new byte[4]);
    }

    @Test
    void aMachineWithoutTheDeviceIsNoReasonToCreateIt() {
        Path device = folder.resolve("cpu_dma_latency");

        assertThatThrownBy(() -> AwakeProcessors.hold(device, driver("haltpoll")))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(device).doesNotExist();
    }

    @Test
    void whereNobodyWouldHeedItNothingIsHeld() throws IOException {
        Path device = Files.createFile(folder.resolve("cpu_dma_latency"));

        for (Path driver : List.of(driver("none"), folder.resolve("absent"))) {
            assertThatThrownBy(() -> AwakeProcessors.hold(device, driver))
                    .hasMessageContaining("the kernel has no driver of idle processors");
        }
        assertThat(device).isEmptyFile();
    }

    private Path driver(String name) throws IOException {
        return Files.writeString(folder.resolve("current_driver"), name + "\n");
    }
}
