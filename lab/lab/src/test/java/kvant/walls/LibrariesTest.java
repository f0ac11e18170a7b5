package kvant.walls;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each library is imported where ARCHITECTURE.md says, and its wall stops a class elsewhere.
class LibrariesTest {

    private static final JavaClasses CODE = Code.ALL;

    static Stream<Libraries.Wall> walls() {
        return Libraries.WALLS.stream();
    }

    @ParameterizedTest
    @MethodSource("walls")
    void onlyItsImportersKnow(Libraries.Wall library) {
        library.rule().check(CODE);
    }

    @ParameterizedTest
    @MethodSource("walls")
    void theViolatorRunsIntoThisWallAndNoOther(Libraries.Wall library) {
        JavaClasses violator = new ClassFileImporter().importClasses(library.violator());

        List<Libraries.Wall> hit = walls().filter(wall ->
                        wall.rule().allowEmptyShould(true).evaluate(violator).hasViolation())
                .toList();

        assertThat(hit).containsExactly(library);
    }

    @ParameterizedTest
    @MethodSource("walls")
    void whoeverMayImportItDoes(Libraries.Wall library) {
        for (String importer : library.importers()) {
            assertThat(CODE.that(JavaClass.Predicates.resideInAPackage(importer)))
                    .as(importer)
                    .anyMatch(ours -> ours.getDirectDependenciesFromSelf().stream()
                            .anyMatch(dependency -> library.holds(dependency.getTargetClass())));
        }
    }

    @Test
    void everyLibraryHasAWall() {
        assertThat(Libraries.withoutWall(CODE)).isEmpty();
    }
}
