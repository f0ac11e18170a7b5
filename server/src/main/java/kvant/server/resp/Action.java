package kvant.server.resp;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The result of parsing a client's command: a reply, requests to the node, a change that depends on the values of one
/// key or several, or a walk through all keys.
public sealed interface Action permits Reply, Command, Action.Change, AllKeys {

    /// Keys are read as of one moment, with their versions, and what the body makes of them is written as one batch,
    /// under the condition that each key that was read is still as it was; else it begins again.
    /// See [ReadModifyWrite].
    sealed interface Change extends Action {

        Body body();
    }

    /// A change of one key. Changes of a key that wait for each other share a read and a write.
    record Update(byte[] key, Body body) implements Change {}

    /// A change of several keys, or one that may take long.
    ///
    /// @param keys that may be read; asked for once, when its turn among the commands of its connection has come
    /// @param worker runs the body, if that may take long; null for the event loop
    record Transaction(
            Supplier<List<byte[]>> keys,
            Body body,
            @Nullable Executor worker) implements Change {

        Transaction(Supplier<List<byte[]>> keys, Body body) {
            this(keys, body, null);
        }
    }

    /// What a change does. It may be asked again, of another view.
    @FunctionalInterface
    interface Body {

        /// @return the reply once the changes of the view are written
        /// @throws WrongCommandException instead of any change
        Reply run(View view) throws WrongCommandException;
    }
}
