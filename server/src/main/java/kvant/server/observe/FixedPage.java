package kvant.server.observe;

import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import org.jspecify.annotations.Nullable;

/// A page that never changes. It is made when somebody first asks for it, so that a start does not wait for it.
abstract class FixedPage implements PageSource {

    private volatile Outcome.@Nullable Page made;

    /// Called once, unless it throws.
    abstract Outcome.Page make();

    @Override
    public final Outcome.@Nullable Page ready() {
        return made;
    }

    @Override
    public final Outcome.Page page(String accept) {
        Outcome.@Nullable Page page = made;
        if (page == null) {
            page = make();
            made = page;
        }
        return page;
    }
}
