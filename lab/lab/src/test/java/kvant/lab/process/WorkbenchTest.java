package kvant.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;

class WorkbenchTest {

    @Test
    void theLatestEndsFirstAndOneThatFailsKeepsNobodyFromIt() throws Exception {
        List<String> ended = new ArrayList<>();
        Path folder;
        try (Workbench bench = Workbench.open()) {
            folder = bench.folder();
            Files.writeString(Files.createDirectory(folder.resolve("data")).resolve("file"), "x");
            bench.keep(() -> ended.add("first"));
            bench.keep(() -> {
                throw new IllegalStateException("of a test");
            });
            bench.keep(() -> ended.add("last"));
        }

        assertThat(ended).containsExactly("last", "first");
        assertThat(folder).doesNotExist();
    }

    @Test
    void whatComesAfterTheEndIsEndedAtOnce() throws Exception {
        List<String> ended = new ArrayList<>();
        Workbench bench = Workbench.open();
        bench.close();

        assertThatThrownBy(() -> bench.keep(() -> ended.add("late"))).isInstanceOf(UserException.class);
        assertThat(ended).containsExactly("late");
    }
}
