package kvant.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import kvant.mutants.TestJvm.Verdict;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// The process that runs tests: `TestRun RESULTS MILLIS CLASS#METHOD...`. For each test it adds a line with its
/// [Verdict] and the milliseconds to the result file. It ends after a failure, which is the answer,
/// and after a test beyond its time limit. The limit counts from the start of the test, not of the process.
final class TestRun implements TestExecutionListener {

    private final Path results;
    private final long startNanos = System.nanoTime();
    private int passed;

    private TestRun(Path results) {
        this.results = results;
    }

    static void main(String[] arguments) throws Exception {
        Launcher launcher = LauncherFactory.create();
        for (int i = 2; i < arguments.length; i++) {
            String[] test = arguments[i].split("#", 2);
            TestRun run = new TestRun(Path.of(arguments[0]));
            Thread watch = Thread.ofPlatform().daemon().start(() -> run.endAfter(Long.parseLong(arguments[1])));
            launcher.execute(request(test[0], test.length < 2 ? "" : test[1]), run);
            watch.interrupt();
            watch.join();
            run.tell(run.passed > 0 ? Verdict.PASSED : Verdict.NOT_RUN);
        }
        System.exit(0); // even if tests have left threads running
    }

    private static LauncherDiscoveryRequest request(String type, String method) {
        PostDiscoveryFilter ofThatName = test -> FilterResult.includedIf(method.isEmpty()
                || test.getSource()
                        .map(source -> !(source instanceof MethodSource one)
                                || one.getMethodName().equals(method))
                        .orElse(true));
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(type))
                .filters(ofThatName)
                .build();
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL -> passed += test.isTest() ? 1 : 0;
            case FAILED -> {
                result.getThrowable().ifPresent(Throwable::printStackTrace);
                end(Verdict.FAILED);
            }
            case ABORTED -> {} // it cannot run here, which is no result
        }
    }

    private void endAfter(long limitMillis) {
        try {
            Thread.sleep(limitMillis);
            end(Verdict.HUNG);
        } catch (InterruptedException _) {
            // Ended in time.
        }
    }

    private void end(Verdict verdict) {
        tell(verdict);
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(1);
    }

    private void tell(Verdict verdict) {
        long millis = (System.nanoTime() - startNanos) / 1_000_000;
        try {
            Files.writeString(
                    results, verdict + " " + millis + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
