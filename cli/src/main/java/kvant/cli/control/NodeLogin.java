package kvant.cli.control;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import kvant.client.ClientOptions;
import kvant.text.UserException;
import kvant.text.command.Authorities;
import kvant.text.command.PresentedToken;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Option;

/// How a command reaches a node over HTTP: the token that it presents, and the certificates that it trusts.
public final class NodeLogin {

    private static final String URL = "http://127.0.0.1:8080";
    private static final String URL_VARIABLE = "KVANT_URL";
    private static final String TOKEN_VARIABLE = "KVANT_TOKEN";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MOST_PAGE_BYTES = 16 << 20;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    @Option(
            names = "--token-file",
            converter = PresentedToken.Converter.class,
            paramLabel = "FILE",
            description = "File with the token to present over HTTP (default: the variable KVANT_TOKEN).")
    private @Nullable PresentedToken token;

    @Option(
            names = "--cacert",
            converter = Authorities.class,
            paramLabel = "FILE",
            description = "Trust only node certificates that these signed (PEM).")
    private @Nullable SSLContext trusted;

    private final Map<String, String> environment;

    private NodeLogin(Map<String, String> environment) {
        this.environment = environment;
    }

    /// Makes the mixins of commands, each of them with this environment.
    public static IFactory factory(Map<String, String> environment) {
        return new IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                return type == NodeLogin.class
                        ? type.cast(new NodeLogin(environment))
                        : CommandLine.defaultFactory().create(type);
            }
        };
    }

    /// The URL of the node.
    ///
    /// @param option the value of `--url`, or null
    public String url(@Nullable String option) {
        return option == null ? variable(URL_VARIABLE, URL) : option;
    }

    private String variable(String name, String usual) {
        String value = environment.getOrDefault(name, "");
        return value.isBlank() ? usual : value;
    }

    /// @throws IllegalArgumentException with the fault of the URL or the token, in one line
    public ClientOptions options(String url) {
        PresentedToken presented = token();
        try {
            return ClientOptions.of(URI.create(url)).with(client -> {
                client.token = presented == null ? null : presented::word;
                client.tls = trusted;
            });
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + url + "' is not a URL such as " + URL, e);
        }
    }

    private @Nullable PresentedToken token() {
        String word = variable(TOKEN_VARIABLE, "");
        return token != null || word.isEmpty() ? token : PresentedToken.of(word, TOKEN_VARIABLE);
    }

    /// Begins to read a path of the node.
    ///
    /// @throws UserException when the node cannot be reached
    /// @throws IllegalArgumentException as [#options]
    public HttpResponse<InputStream> open(String url, String path, String accept) throws InterruptedException {
        SSLContext tls = options(url).tls();
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url.replaceFirst("/+$", "") + path))
                .timeout(TIMEOUT)
                .header("Accept", accept);
        PresentedToken presented = token();
        if (presented != null) {
            request.header("Authorization", presented.authorization());
        }
        try {
            return (tls == null ? client : client.sslContext(tls))
                    .build()
                    .send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw unreachable(url, e);
        }
    }

    /// The text of a page.
    ///
    /// @param remedy what may help where the node refuses it, other than a token
    /// @throws UserException when there is none, in one line
    /// @throws IllegalArgumentException as [#options]
    public String page(String url, String path, String accept, String remedy) throws InterruptedException {
        HttpResponse<InputStream> answer = open(url, path, accept);
        String body = text(url, answer);
        int status = answer.statusCode();
        if (status != 200) {
            boolean barred = status == UNAUTHORIZED || status == FORBIDDEN;
            throw new UserException(url + " answered " + status + ": "
                    + (barred ? "give a token with the scope admin by --token-file or KVANT_TOKEN" : remedy));
        }
        return body;
    }

    /// The body of an answer, of bounded length.
    public static String text(String url, HttpResponse<InputStream> answer) {
        try (InputStream body = answer.body()) {
            return new String(body.readNBytes(MOST_PAGE_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw unreachable(url, e);
        }
    }

    /// Whether TLS failed, which a certificate of one's own makes it do.
    public static boolean isUntrusted(Throwable failure) {
        return failure instanceof SSLHandshakeException
                || failure.getCause() != null && isUntrusted(failure.getCause());
    }

    public static UserException untrusted(String url, Throwable e) {
        return new UserException("the certificate of " + url + " is not trusted: give its authority by --cacert", e);
    }

    private static UserException unreachable(String url, IOException e) {
        if (isUntrusted(e)) {
            return untrusted(url, e);
        }
        String reason = e.getMessage() == null ? "connection refused: is a node running there?" : e.getMessage();
        return new UserException("cannot reach " + url + ": " + reason, e);
    }
}
