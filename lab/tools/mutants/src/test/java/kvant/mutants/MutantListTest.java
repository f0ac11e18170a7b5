package kvant.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The lists of all modules can be planted: in code that has moved on, a mutant would test nothing.
class MutantListTest {

    private static final MutantList LIST = new MutantList(new Modules(root()));

    @Test
    void everyMutantHasItsPlaceAndItsTest() {
        List<Mutant> mutants = LIST.read();
        assertThat(mutants).hasSizeGreaterThan(200);
        assertThat(LIST.problems(mutants)).isEmpty();
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not inside the project");
        }
        return folder;
    }
}
