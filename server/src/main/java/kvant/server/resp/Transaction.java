package kvant.server.resp;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What is done with several keys as one: they are read as of one moment, with their versions, and what becomes of them
/// is one batch, under the condition that each key that was read is still as it was; else it begins anew.
/// See [TransactionRun].
///
/// @param keys that may be read; asked for once, when its turn among the commands of its connection has come
/// @param worker runs the body, where that may take long; null for the event loop
public record Transaction(
        Supplier<List<byte[]>> keys, Body body, @Nullable Executor worker) implements Action {

    Transaction(Supplier<List<byte[]>> keys, Body body) {
        this(keys, body, null);
    }

    /// What it does. It may be asked again, of another view.
    @FunctionalInterface
    public interface Body {

        /// @return what is told once the changes of the view are written
        /// @throws WrongCommandException instead of any change
        Reply run(View view) throws WrongCommandException;
    }
}
