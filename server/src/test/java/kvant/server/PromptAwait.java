package kvant.server;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Has `await()` look at its condition at once, and then after pauses of 1 ms, 2 ms and so on up to 100 ms: what most
/// tests wait for comes within a few milliseconds. Without this each `await()` takes 100 ms or more. Registered for
/// every test class.
public final class PromptAwait implements BeforeAllCallback {

    private static final Duration FIRST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMillis(100);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval((_, pause) -> next(pause));
    }

    private static Duration next(Duration pause) {
        if (pause.compareTo(FIRST) < 0) {
            return FIRST;
        }
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    }
}
