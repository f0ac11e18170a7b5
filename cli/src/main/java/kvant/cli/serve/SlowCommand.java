package kvant.cli.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import kvant.cli.control.DirectoryCommand;
import kvant.text.ExitCode;
import kvant.text.UserException;
import kvant.text.command.Authorities;
import kvant.text.command.Output;
import kvant.text.command.PresentedToken;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant slow`: shows the slowest requests of a running node, which keeps them with the times of their stages.
@Command(
        name = "slow",
        description = "Show the slowest requests of a running node: where their time went, and what went on meanwhile.",
        sortOptions = false,
        footer = {
            "",
            "The node keeps the ten slowest of each of the last ten minutes and event loops,",
            "with their keys. It tells the user that runs it, through its data directory. A",
            "node without one, or on another machine, needs --debug-page and is asked by",
            "--url. 'engine' is the time in the engine, for a write up to its commit.",
            "Exit codes: 0 shown, 1 the node did not tell (the reason is on stderr), 2 wrong",
            "command line."
        })
public final class SlowCommand extends DirectoryCommand {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Ask over HTTP, a node that was started with --debug-page.")
    private @Nullable String url;

    @Option(
            names = "--token-file",
            converter = PresentedToken.Converter.class,
            paramLabel = "FILE",
            description = "Present the token in this file, which has the scope admin.")
    private @Nullable PresentedToken token;

    @Option(
            names = "--cacert",
            converter = Authorities.class,
            paramLabel = "FILE",
            description = "Trust a node whose certificate comes from one of these (PEM).")
    private @Nullable SSLContext trusted;

    @Option(names = "--format", paramLabel = "F", description = "text (a table; the default) or json.")
    private Output format = Output.TEXT;

    @Override
    public Integer call() throws InterruptedException {
        if (url != null) {
            out().print(overHttp(url));
            out().flush();
        } else {
            String request = "slow " + format.name().toLowerCase(Locale.ROOT);
            requireNode(request, NODE_TIMEOUT, ": name its directory by --data, or its address by --url");
        }
        return ExitCode.DONE;
    }

    private String overHttp(String node) throws InterruptedException {
        HttpRequest request = request(node);
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        try (HttpClient client = (trusted == null ? builder : builder.sslContext(trusted)).build()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new UserException(node + " answered " + answer.statusCode() + hint(answer.statusCode()));
            }
            return answer.body();
        } catch (IOException e) {
            String reason = e.getMessage() == null ? "nothing listens there" : e.getMessage();
            throw new UserException("cannot reach " + node + ": " + reason, e);
        }
    }

    private static String hint(int status) {
        return switch (status) {
            case BAD_REQUEST, NOT_FOUND -> ": was it started with --debug-page?";
            case UNAUTHORIZED, FORBIDDEN -> ": give a --token-file with the scope admin";
            default -> ": is it a node of Kvant?";
        };
    }

    private HttpRequest request(String node) {
        try {
            URI page = URI.create(node.replaceFirst("/+$", "") + "/debug/slow");
            HttpRequest.Builder request = HttpRequest.newBuilder(page);
            if (token != null) {
                request.header("Authorization", token.authorization());
            }
            return request.timeout(TIMEOUT)
                    .version(HttpClient.Version.HTTP_1_1)
                    .header("Accept", format == Output.TEXT ? "text/plain" : "application/json")
                    .build();
        } catch (IllegalArgumentException _) {
            throw wrong("'--url " + node + "' is not a URL such as http://127.0.0.1:8080");
        }
    }
}
