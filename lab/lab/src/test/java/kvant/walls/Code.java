package kvant.walls;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/// The classes that walls are about, read once for all tests of a JVM: all of ours but tests and what they share.
final class Code {

    private static final ImportOption NO_KITS = location -> !location.contains("-tests.jar");

    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(NO_KITS)
            .importPackages("kvant");

    private Code() {}
}
