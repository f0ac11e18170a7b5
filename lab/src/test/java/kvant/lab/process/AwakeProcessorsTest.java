package kvant.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AwakeProcessorsTest {

    @TempDir
    private Path folder;

    @Test
    void theDeviceIsAskedForNoLatency() throws IOException {
        Path device = Files.createFile(folder.resolve("cpu_dma_latency"));

        AwakeProcessors.hold(device).close();

        assertThat(device).hasBinaryContent(new byte[4]);
    }

    @Test
    void aMachineWithoutTheDeviceIsNoReasonToCreateIt() {
        Path device = folder.resolve("cpu_dma_latency");

        assertThatThrownBy(() -> AwakeProcessors.hold(device)).isInstanceOf(NoSuchFileException.class);
        assertThat(device).doesNotExist();
    }
}
