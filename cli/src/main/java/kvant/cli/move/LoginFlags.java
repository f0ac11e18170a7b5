package kvant.cli.move;

import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import kvant.client.ClientOptions;
import kvant.text.command.Authorities;
import kvant.text.command.PresentedToken;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How `kvant copy` shows nodes who it is. Each end has a token of its own: none is shown to another node.
final class LoginFlags {

    @Option(
            names = "--from-token-file",
            converter = PresentedToken.Converter.class,
            paramLabel = "FILE",
            description = "Token for the node at '--from', with the scope read.")
    private @Nullable PresentedToken from;

    @Option(
            names = "--to-token-file",
            converter = PresentedToken.Converter.class,
            paramLabel = "FILE",
            description = "Token for the node at '--to', with the scopes read and write.")
    private @Nullable PresentedToken to;

    @Option(
            names = "--cacert",
            converter = Authorities.class,
            paramLabel = "FILE",
            description = "Trust nodes whose certificates come from one of these (PEM).")
    private @Nullable SSLContext trusted;

    Consumer<ClientOptions.Draft> from() {
        return login(from);
    }

    Consumer<ClientOptions.Draft> to() {
        return login(to);
    }

    private Consumer<ClientOptions.Draft> login(@Nullable PresentedToken token) {
        return client -> {
            client.token = token == null ? null : token::word;
            client.tls = trusted;
        };
    }
}
