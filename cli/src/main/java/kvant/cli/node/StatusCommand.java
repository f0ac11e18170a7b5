package kvant.cli.node;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.text.ExitCode;
import kvant.text.JsonFile;
import kvant.text.JsonValue;
import kvant.text.Units;
import kvant.text.UserException;
import kvant.text.command.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant status`: the state of a node on one screen, from `/v0/status`, and from `/metrics` where that is allowed.
@Command(
        name = "status",
        description = "Show engine, transport, durability, disk and checks of a node.",
        sortOptions = false,
        footer = {
            "",
            "Disk and archive lag come from /metrics, which needs the scope admin where the",
            "node has tokens; without it they are left out.",
            "Exit codes: 0 ready, 1 not ready or no answer (the reason is on stderr), 2 wrong",
            "command line."
        })
final class StatusCommand extends NodeCommand {

    private static final Pattern FIGURE = Pattern.compile(
            "^(kvant_lsm_data_bytes|kvant_lsm_usable_bytes\\{disk=\"tables\"}|kvant_archive_lag_seconds) (\\S+)$");
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(names = "--format", paramLabel = "F", description = "text, or json as /v0/status has it (default: text).")
    private Output format = Output.TEXT;

    @Override
    int run() throws InterruptedException {
        String page = login().page(url(), "/v0/status", "application/json", "is it a node of Kvant?");
        JsonValue status = new JsonValue(JsonFile.object(page, url() + "/v0/status", "a status"));
        boolean ready = status.at("ready").flag();
        if (format == Output.JSON) {
            out().print(page);
        } else {
            print(status, ready);
        }
        out().flush();
        if (!ready) {
            throw new UserException(url() + " is not ready");
        }
        return ExitCode.DONE;
    }

    private void print(JsonValue status, boolean ready) throws InterruptedException {
        String up = Units.time(status.at("uptimeSeconds").number() * NANOS_PER_SECOND);
        line("node", url() + ", " + (ready ? "ready" : "not ready") + ", up for " + up);
        String commit = status.at("commit").text();
        line("version", status.at("version").text() + (commit.isEmpty() ? "" : " (" + commit + ")"));
        line("engine", status.at("engine").text());
        line("durability", status.at("durability").text());
        line("transport", status.at("transport").text());
        Map<String, Double> figures = figures();
        Double data = figures.get("kvant_lsm_data_bytes");
        Double free = figures.get("kvant_lsm_usable_bytes{disk=\"tables\"}");
        if (data != null && free != null) {
            line("disk", Units.bytes(data.longValue()) + " stored, " + Units.bytes(free.longValue()) + " free");
        }
        Double lag = figures.get("kvant_archive_lag_seconds");
        if (lag != null) {
            line("archive lag", Units.time(lag * NANOS_PER_SECOND));
        }
        for (JsonValue check : status.at("checks").list()) {
            line(
                    check.at("name").text(),
                    (check.at("ok").flag() ? "ok: " : "FAILED: ")
                            + check.at("detail").text());
        }
    }

    private void line(String name, String value) {
        if (!value.isEmpty()) {
            out().printf("%-12s %s%n", name, value);
        }
    }

    private Map<String, Double> figures() throws InterruptedException {
        Map<String, Double> figures = new LinkedHashMap<>();
        try {
            for (String line : login().page(url(), "/metrics", "text/plain", "").split("\n")) {
                Matcher found = FIGURE.matcher(line);
                if (found.matches()) {
                    figures.put(found.group(1), Double.valueOf(found.group(2)));
                }
            }
        } catch (UserException _) {
            return Map.of(); // not allowed with this token, or on the administrative port alone
        }
        return figures;
    }
}
