package kvant.server.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import kvant.server.access.TokenSecret;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import org.jspecify.annotations.Nullable;

/// A page that never changes. It is made when a client first asks for it, so that a start does not wait for it.
public final class FixedPage implements PageSource {

    private static final String FOLDER = "/kvant/server/ui/";
    private static final List<String> SCRIPTS = List.of("figures.js", "draw.js", "charts.js", "panels.js");
    private static final String KEY_SCRIPT = "keys.js";
    private static final String MAIN_SCRIPT = "main.js";

    private final Supplier<Outcome.Page> maker;
    private volatile Outcome.@Nullable Page made;

    /// @param maker called once, unless it throws
    private FixedPage(Supplier<Outcome.Page> maker) {
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

    private static byte[] resource(String path) {
        try (InputStream in = Objects.requireNonNull(FixedPage.class.getResourceAsStream(path), path + " is missing")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// `GET /ui`: a page that shows the node live, assembled from the resources in `kvant/server/ui`.
    ///
    /// It holds no data of the node, so it needs no token. Its script asks for `/metrics`, `/v0/status` and
    /// `/ui/slow` as any client does, with the token that the user types in. Its policy allows its own script and
    /// style, known by their digests, and requests to the node, and nothing else. Without a key browser, neither
    /// its script nor its form is in the page.
    ///
    /// @param keys whether it has a key browser
    public static FixedPage live(boolean keys) {
        return new FixedPage(() -> make(keys));
    }

    private static Outcome.Page make(boolean keys) {
        String style = text("page.css");
        StringBuilder script = new StringBuilder("'use strict';\n(() => {\n");
        SCRIPTS.forEach(name -> script.append(text(name)));
        script.append(keys ? text(KEY_SCRIPT) : "const startKeys = null;\n");
        script.append(text(MAIN_SCRIPT)).append("})();\n");
        String html = text("page.html")
                .replace("{{keys}}", keys ? text("keys.html") : "")
                .replace("{{style}}", style)
                .replace("{{script}}", script);
        return new Outcome.Page(
                "text/html; charset=utf-8", policy(style, script.toString()), html.getBytes(StandardCharsets.UTF_8));
    }

    private static String policy(String style, String script) {
        return "default-src 'none'; script-src " + digest(script) + "; style-src " + digest(style)
                + "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /// The digest by which a policy names an inline script or style.
    private static String digest(String text) {
        byte[] digest = TokenSecret.digest().digest(text.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }

    private static String text(String name) {
        return new String(resource(FOLDER + name), StandardCharsets.UTF_8);
    }
}
