package kvant.server;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Who may ask a node for what.
///
///     AccessOptions.none().with(a -> a.tokens = Path.of("tokens"))
///
/// @param tokens file of tokens, or null where everybody may ask for everything
public record AccessOptions(@Nullable Path tokens) {

    /// Everybody who reaches the node may do everything.
    public static AccessOptions none() {
        return new Draft().options();
    }

    public AccessOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /// Options in the making; begins with none.
    public static final class Draft {

        public @Nullable Path tokens;

        private Draft() {}

        private Draft(AccessOptions options) {
            tokens = options.tokens;
        }

        private AccessOptions options() {
            return new AccessOptions(tokens);
        }
    }
}
