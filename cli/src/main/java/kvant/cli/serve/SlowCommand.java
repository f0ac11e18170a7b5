package kvant.cli.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import kvant.text.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant slow`: shows the slowest requests of a running node, which keeps them with the times of their stages.
@Command(
        name = "slow",
        description = "Show the slowest requests of a running node: where their time went, and what went on meanwhile.",
        sortOptions = false,
        footer = {
            "",
            "The node keeps the ten slowest of each of the last ten minutes and event loops.",
            "It tells clients on its own machine only. 'engine' is the time in the engine,",
            "for a write up to its commit.",
            "Exit codes: 0 shown, 1 the node did not tell (the reason is on stderr), 2 wrong",
            "command line."
        })
public final class SlowCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    public enum Format {
        TEXT,
        JSON
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--url", paramLabel = "URL", description = "The node (default: http://127.0.0.1:8080).")
    private String url = "http://127.0.0.1:8080";

    @Option(names = "--format", paramLabel = "F", description = "text (a table; the default) or json.")
    private Format format = Format.TEXT;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public Integer call() throws InterruptedException {
        HttpRequest request = request();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                return failed(url + " answered " + answer.statusCode() + ": is it a node of Kvant, on this machine?");
            }
            spec.commandLine().getOut().print(answer.body());
            spec.commandLine().getOut().flush();
            return ExitCode.DONE;
        } catch (IOException e) {
            String reason = e.getMessage() == null ? "nothing listens there" : e.getMessage();
            return failed("cannot reach " + url + ": " + reason);
        }
    }

    private HttpRequest request() {
        try {
            URI page = URI.create(url.replaceFirst("/+$", "") + "/debug/slow");
            return HttpRequest.newBuilder(page)
                    .timeout(TIMEOUT)
                    .version(HttpClient.Version.HTTP_1_1)
                    .header("Accept", format == Format.TEXT ? "text/plain" : "application/json")
                    .build();
        } catch (IllegalArgumentException _) {
            throw new ParameterException(
                    spec.commandLine(), "'--url " + url + "' is not a URL such as http://127.0.0.1:8080");
        }
    }

    private int failed(String reason) {
        spec.commandLine().getErr().println("kvant: " + reason);
        return ExitCode.FAILED;
    }
}
