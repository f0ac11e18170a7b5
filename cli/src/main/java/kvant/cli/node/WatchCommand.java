package kvant.cli.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import kvant.cli.control.NodeLogin;
import kvant.text.ExitCode;
import kvant.text.JsonFile;
import kvant.text.JsonValue;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant watch`: follows `/v0/changes`, and continues from the last version where an answer ends or breaks.
@Command(
        name = "watch",
        description = "Print changes of the store as they happen.",
        sortOptions = false,
        footer = {
            "",
            "A line has version, put or delete, key and value. Expiry emits no change. After",
            "a break it reconnects, and loses and repeats nothing. Exit codes: 0 done (with",
            "--wait), 1 failed (the reason is on stderr), 2 wrong command line."
        })
final class WatchCommand extends NodeCommand.Listing {

    private static final Pattern VERSION = Pattern.compile("now|[0-9]{1,19}");
    private static final int LONGEST_WAIT_SECONDS = 3600;
    private static final int MOST_FAILURES = 10;
    private static final int OK = 200;
    private static final int GONE = 410;

    @Option(
            names = "--from",
            paramLabel = "VERSION",
            description = "Print changes after this version; 0 is the beginning, now the present (default: now).")
    private String from = "now";

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "Exit when this long without a change, 1 to 3600 (default: never).")
    private @Nullable Integer waitSeconds;

    private boolean ended;
    private boolean refused;

    @Override
    int run() throws InterruptedException {
        if (!VERSION.matcher(from).matches()) {
            throw wrong("'--from' is a version or now, not '" + from + "'");
        }
        if (waitSeconds != null && (waitSeconds < 1 || waitSeconds > LONGEST_WAIT_SECONDS)) {
            throw wrong("'--wait' is 1 to " + LONGEST_WAIT_SECONDS + " s, not " + waitSeconds);
        }
        int failures = 0;
        while (!ended) {
            String before = from;
            try {
                follow();
                failures = 0;
            } catch (IOException | UserException e) {
                failures = from.equals(before) ? failures + 1 : 1;
                if (refused || from.equals("now") || failures > MOST_FAILURES) {
                    throw e instanceof UserException told ? told : new UserException(url() + ": " + e.getMessage(), e);
                }
                TimeUnit.SECONDS.sleep(1);
            }
        }
        return ExitCode.DONE;
    }

    /// One answer, to its end.
    private void follow() throws IOException, InterruptedException {
        int wait = waitSeconds == null ? LONGEST_WAIT_SECONDS : waitSeconds;
        HttpResponse<InputStream> answer =
                login().open(url(), "/v0/changes?from=" + from + "&wait=" + wait, "application/x-ndjson");
        if (answer.statusCode() != OK) {
            String detail = object(NodeLogin.text(url(), answer)).at("detail").text();
            refused = true;
            throw new UserException(url() + " answered " + answer.statusCode() + ": " + detail
                    + (answer.statusCode() == GONE ? gone() : ""));
        }
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && !ended; line = lines.readLine()) {
                if (take(line)) {
                    return;
                }
            }
        }
        if (!ended) {
            throw new IOException("the connection broke");
        }
    }

    /// @return whether it is the last line
    private boolean take(String line) {
        JsonValue change = object(line);
        if (!change.at("key").isMissing()) {
            from = change.at("version").text();
            ended = !print(json() ? line : text(change));
            return ended;
        }
        if (change.at("gone").flag()) {
            refused = true;
            throw new UserException(url() + ": " + change.at("reason").text() + gone());
        }
        from = change.at("upto").isMissing() ? from : change.at("upto").text();
        JsonValue complete = change.at("complete");
        ended = complete.flag() && waitSeconds != null;
        return !complete.isMissing();
    }

    private String gone() {
        return " (changes after version " + from + " are no longer kept: read the store again)";
    }

    private static JsonValue object(String line) {
        return new JsonValue(JsonFile.object(line, "an answer of the node", "a JSON object"));
    }

    private static String text(JsonValue change) {
        String begin = change.at("version").text() + "\t";
        String key = field(change, "key");
        return change.at("deleted").flag()
                ? begin + "delete\t" + key
                : begin + "put\t" + key + "\t" + field(change, "value");
    }

    private static String field(JsonValue change, String name) {
        return KeyText.escape(Base64.getDecoder().decode(change.at(name).text()));
    }
}
