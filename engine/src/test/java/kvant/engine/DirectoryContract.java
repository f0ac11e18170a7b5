package kvant.engine;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import kvant.engine.directory.DataDirectory;
import org.junit.jupiter.api.Test;

/// Level of a [LocalEngine]: a store is a directory, which belongs to one process and one kind of engine at a time.
interface DirectoryContract extends ContractFixture {

    @Test
    default void createsAMissingDirectory() {
        Engine deep = openAt(directory().resolve("two/levels"), Durability.ALWAYS);
        write(deep, put("a", "1"));
        assertThat(directory().resolve("two/levels")).isDirectory();
    }

    @Test
    default void aDirectoryInUseIsRefused() {
        write(engine(), put("a", "1"));
        assertThatThrownBy(() -> openAt(directory(), Durability.ALWAYS))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining(directory().toString());
        write(engine(), put("b", "2"));
        assertThat(scan(reopen(Durability.ALWAYS), "", null)).hasSize(2);
    }

    @Test
    default void anotherEnginesDirectoryIsRefused() throws Exception {
        Files.createDirectory(directory());
        DataDirectory.open(directory(), "some-other-engine").close();
        assertThatThrownBy(() -> openAt(directory(), Durability.ALWAYS))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContainingAll("some-other-engine", "does not know");
    }
}
