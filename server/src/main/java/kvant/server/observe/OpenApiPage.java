package kvant.server.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import kvant.server.request.Outcome;

/// `GET /openapi.yaml`: the description of the API, which comes with the program.
public final class OpenApiPage extends FixedPage {

    @Override
    Outcome.Page make() {
        try (InputStream in = Objects.requireNonNull(
                OpenApiPage.class.getResourceAsStream("/kvant/server/openapi.yaml"), "openapi.yaml is missing")) {
            return new Outcome.Page("application/yaml", in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
