package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/// The contract suite notices what is wrong with an engine: for each [Fault] the tests that must fail do
/// fail.
class EngineContractCatchesFaultsTest {

    private static volatile Fault planted = Fault.NONE;

    /// The suite on a broken engine. Not run by itself: its name does not end like a test's.
    static final class BrokenEngineSuite extends LogEngineContract {
        @Override
        protected LocalEngine open(Path directory, Durability durability) {
            return ModelEngine.open(directory, durability, planted);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void eachFaultFailsTheTestsThatAreThereForIt(Fault fault) {
        assertThat(fault.noticedBy).isNotEmpty();
        assertThat(failedTests(fault, fault.noticedBy)).containsExactlyInAnyOrder(fault.noticedBy);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"SCAN_SHOWS_DELETED", "LOSES_BATCH_TAIL", "SCAN_IS_LIVE", "REORDERS_WRITES", "VERSIONS_RESTART"})
    void theRandomTestNoticesFaultsByItself(Fault fault) {
        String test = "behavesLikeAMapUnderRandomOperations";
        assertThat(failedTests(fault, test)).containsExactly(test);
    }

    @ParameterizedTest
    @EnumSource(names = "NONE")
    void theSameTestsPassOnTheEngineAsItShouldBe(Fault none) {
        String[] all = Arrays.stream(Fault.values())
                .flatMap(fault -> Arrays.stream(fault.noticedBy))
                .distinct()
                .toArray(String[]::new);
        assertThat(failedTests(none, all)).isEmpty();
    }

    private static Set<String> failedTests(Fault fault, String... names) {
        List<String> wanted = List.of(names);
        PostDiscoveryFilter onlyWanted = descriptor -> FilterResult.includedIf(descriptor
                .getSource()
                .map(source -> !(source instanceof MethodSource method) || wanted.contains(method.getMethodName()))
                .orElse(true));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(BrokenEngineSuite.class))
                .filters(onlyWanted)
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        planted = fault;
        System.setProperty("kvant.timeout.seconds", "2");
        try {
            LauncherFactory.create().execute(request, listener);
        } finally {
            System.clearProperty("kvant.timeout.seconds");
            planted = Fault.NONE;
        }
        TestExecutionSummary summary = listener.getSummary();
        assertThat(summary.getTestsStartedCount()).as("tests run").isGreaterThanOrEqualTo(names.length);
        return summary.getFailures().stream()
                .map(failure -> nameOf(failure.getTestIdentifier()))
                .collect(Collectors.toSet());
    }

    private static String nameOf(TestIdentifier test) {
        return test.getSource()
                .map(source -> ((MethodSource) source).getMethodName())
                .orElseThrow();
    }
}
