package kvant.server.observe;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import kvant.server.request.Outcome;

/// `GET /ui`: a page that shows the node live, put together from what lies in `kvant/server/ui` among the resources.
///
/// It holds no data of the node, so everybody may have it: its script asks for `/metrics`, `/v0/status` and `/ui/slow`
/// as any client does, with the token that somebody types in. Its policy allows its own script and style, known by
/// their digests, and requests to the node, and nothing else. Without a key browser, neither its script nor its form
/// is in the page.
public final class LivePage {

    private static final String FOLDER = "/kvant/server/ui/";
    private static final List<String> SCRIPTS = List.of("figures.js", "draw.js", "charts.js", "panels.js");
    private static final String KEY_SCRIPT = "keys.js";
    private static final String MAIN_SCRIPT = "main.js";

    private LivePage() {}

    /// @param keys whether it has a key browser
    public static FixedPage of(boolean keys) {
        return new FixedPage(() -> make(keys));
    }

    private static Outcome.Page make(boolean keys) {
        String style = resource("page.css");
        StringBuilder script = new StringBuilder("'use strict';\n(() => {\n");
        SCRIPTS.forEach(name -> script.append(resource(name)));
        script.append(keys ? resource(KEY_SCRIPT) : "const startKeys = null;\n");
        script.append(resource(MAIN_SCRIPT)).append("})();\n");
        String html = resource("page.html")
                .replace("{{keys}}", keys ? resource("keys.html") : "")
                .replace("{{style}}", style)
                .replace("{{script}}", script);
        return new Outcome.Page(
                "text/html; charset=utf-8", policy(style, script.toString()), html.getBytes(StandardCharsets.UTF_8));
    }

    private static String policy(String style, String script) {
        return "default-src 'none'; script-src " + digest(script) + "; style-src " + digest(style)
                + "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /// As a policy names an inline script or style.
    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String resource(String name) {
        return new String(FixedPage.resource(FOLDER + name), StandardCharsets.UTF_8);
    }
}
