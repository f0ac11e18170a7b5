package kvant.cli.node;

import java.time.Duration;
import java.util.Objects;
import kvant.cli.control.NodeLogin;
import kvant.client.ClientOptions;
import kvant.client.Key;
import kvant.client.KvantClient;
import kvant.client.KvantException;
import kvant.text.command.CliCommand;
import kvant.text.command.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A command that asks a node over HTTP, and its options.
abstract class NodeCommand extends CliCommand {

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "URL of the node (default: the variable KVANT_URL, or http://127.0.0.1:8080).")
    private @Nullable String url;

    @Mixin
    private @Nullable NodeLogin login;

    final String url() {
        return login().url(url);
    }

    final NodeLogin login() {
        return Objects.requireNonNull(login);
    }

    /// Runs the command; a value that no node takes is a wrong command line.
    abstract int run() throws Exception;

    @Override
    public final Integer call() throws Exception {
        try {
            return run();
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        } catch (KvantException.Unavailable e) {
            throw NodeLogin.isUntrusted(e) ? NodeLogin.untrusted(url(), e) : e;
        }
    }

    /// A command about keys.
    abstract static class OfKeys extends NodeCommand {

        @Option(
                names = "--timeout",
                paramLabel = "SECONDS",
                description = "Time for one call, retries included (default: 10).")
        private int timeoutSeconds = 10;

        @Option(
                names = "--escaped",
                description = "Keys on the command line have %%XX for a byte, as 'kvant scan' prints them.")
        private boolean escaped;

        final KvantClient client() {
            ClientOptions options = login().options(url());
            return KvantClient.of(options).within(Duration.ofSeconds(timeoutSeconds));
        }

        final Key key(String text) {
            return escaped ? Key.of(KeyText.unescape(text)) : Key.of(text);
        }
    }

    /// A command that prints many keys and values.
    abstract static class Listing extends OfKeys {

        @Option(
                names = "--format",
                paramLabel = "F",
                description = "text (fields separated by tabs; control characters, %% and bytes that are no UTF-8 as"
                        + " %%XX), or json (an object a line, in base64) (default: text).")
        private Output format = Output.TEXT;

        final boolean json() {
            return format == Output.JSON;
        }

        /// @return whether the reader of the output still takes it
        final boolean print(String line) {
            out().println(line);
            return !out().checkError();
        }
    }
}
