package kvant.server.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;

/// `GET /openapi.yaml`: the description of the API, which comes with the program.
public final class OpenApiPage implements PageSource {

    private final Outcome.Page page = new Outcome.Page("application/yaml", read());

    private static byte[] read() {
        try (InputStream in = Objects.requireNonNull(
                OpenApiPage.class.getResourceAsStream("/kvant/server/openapi.yaml"), "openapi.yaml is missing")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Outcome.Page ready() {
        return page;
    }

    @Override
    public Outcome.Page page(String accept) {
        return page;
    }
}
