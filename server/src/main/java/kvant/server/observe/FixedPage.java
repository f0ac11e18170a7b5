package kvant.server.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.function.Supplier;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import org.jspecify.annotations.Nullable;

/// A page that never changes. It is made when a client first asks for it, so that a start does not wait for it.
public final class FixedPage implements PageSource {

    private final Supplier<Outcome.Page> maker;
    private volatile Outcome.@Nullable Page made;

    /// @param maker called once, unless it throws
    FixedPage(Supplier<Outcome.Page> maker) {
        this.maker = maker;
    }

    /// `GET /openapi.yaml`: the description of the API, which comes with the program.
    public static FixedPage openApi() {
        return new FixedPage(() -> new Outcome.Page("application/yaml", resource("/kvant/server/openapi.yaml")));
    }

    @Override
    public Outcome.@Nullable Page ready() {
        return made;
    }

    @Override
    public Outcome.Page page(String accept) {
        Outcome.@Nullable Page page = made;
        if (page == null) {
            page = maker.get();
            made = page;
        }
        return page;
    }

    static byte[] resource(String path) {
        try (InputStream in = Objects.requireNonNull(FixedPage.class.getResourceAsStream(path), path + " is missing")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
