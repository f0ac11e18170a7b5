package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Every promise of [Engine], as tests that every adapter inherits, at the level that it holds:
///
///     EngineContract                every engine
///       LocalEngineContract         one machine: snapshots, batches never seen half, reads that do not block
///         LogEngineContract         one log: writes are completed in the order of their submission
///
///     class MyEngineTest extends LocalEngineContract {
///         protected LocalEngine open(Path directory, Durability durability) { ... }
///     }
///
/// A level only adds, and no test is overridden. An engine tests promises beyond its level by itself.
///
/// The promises stand in one interface per concern, so that each file has one reason to change. That the
/// suite notices broken engines is itself tested, by `EngineContractCatchesFaultsTest`.
///
/// `-Dkvant.seed=N` repeats the random test of a failure, `-Dkvant.operations=N` makes it longer,
/// `-Dkvant.timeout.seconds=N` bounds every wait for something that must happen.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class EngineContract
        implements ReadContract,
                RangeContract,
                WriteContract,
                VisibilityContract,
                ConditionContract,
                ExpiryContract,
                ScanContract,
                ExportContract,
                CompletionContract,
                LifecycleContract {

    @TempDir
    private Path temporary = Path.of("");

    private final Deque<Engine> opened = new ArrayDeque<>();
    private @Nullable Engine current;

    /// Opens an engine of the kind under test, creating the directory where it is missing.
    protected abstract Engine open(Path directory, Durability durability);

    /// The [Limits] allow no longer one.
    @Override
    public int longestKeyBytes() {
        return Limits.DEFAULT.maxKeyBytes();
    }

    /// Fewer where each operation is several messages between processes.
    @Override
    public int rounds(int usual) {
        return usual;
    }

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

    /// Else an engine could hold less than its level says, unnoticed.
    @Test
    final void noTestOfALevelIsOverridden() throws NoSuchMethodException {
        for (Class<?> kind = getClass(); kind != null; kind = kind.getSuperclass()) {
            for (Class<?> concern : kind.getInterfaces()) {
                for (Method test : concern.getDeclaredMethods()) {
                    if (test.isDefault() && ContractFixture.class.isAssignableFrom(concern)) {
                        Method used = getClass().getMethod(test.getName(), test.getParameterTypes());
                        assertThat(used.getDeclaringClass()).as(test.getName()).isEqualTo(concern);
                    }
                }
            }
        }
    }

    @AfterEach
    final void closeAll() {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
