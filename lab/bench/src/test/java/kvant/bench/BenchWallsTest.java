package kvant.bench;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;

/// The benchmarks are on no other class path, so that the walls of the program do not see them: theirs are here.
class BenchWallsTest {

    private static final ArchRule NO_CYCLES =
            SlicesRuleDefinition.slices().matching("kvant.(**)").should().beFreeOfCycles();

    @Test
    void noPackagesKnowEachOther() {
        NO_CYCLES.check(new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("kvant.bench"));
    }
}
