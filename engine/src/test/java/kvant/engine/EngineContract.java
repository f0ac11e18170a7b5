package kvant.engine;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Every promise of [Engine], as tests that every adapter inherits.
///
///     class MyEngineTest extends EngineContract {
///         protected Engine open(Path directory, Durability durability) { ... }
///     }
///
/// The promises stand in one interface per concern, so that each file has one reason to change. That the
/// suite notices broken engines is itself tested, by `EngineContractCatchesFaultsTest`.
///
/// `-Dkvant.seed=N` repeats the random test of a failure, `-Dkvant.operations=N` makes it longer,
/// `-Dkvant.patience.seconds=N` bounds every wait for something that must happen.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class EngineContract
        implements ReadContract,
                GetAllContract,
                RangeContract,
                WriteContract,
                VisibilityContract,
                ConditionContract,
                ExpiryContract,
                ScanContract,
                ExportContract,
                CompletionContract,
                LifecycleContract,
                ModelContract {

    @TempDir
    private Path temporary = Path.of("");

    private final Deque<Engine> opened = new ArrayDeque<>();
    private @Nullable Engine current;

    /// Opens an engine of the kind under test, creating the directory where it is missing.
    protected abstract Engine open(Path directory, Durability durability);

    @Override
    public final Engine engine() {
        Engine engine = current;
        return engine == null ? reopen(Durability.ALWAYS) : engine;
    }

    @Override
    public final Engine reopen(Durability durability) {
        Engine before = current;
        if (before != null) {
            before.close();
            opened.remove(before);
        }
        Engine engine = openAt(directory(), durability);
        current = engine;
        return engine;
    }

    @Override
    public final Path directory() {
        return temporary.resolve("data");
    }

    @Override
    public final Engine openAt(Path directory, Durability durability) {
        Engine engine = open(directory, durability);
        opened.push(engine);
        return engine;
    }

    @AfterEach
    final void closeAll() {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
