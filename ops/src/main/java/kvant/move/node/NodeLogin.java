package kvant.move.node;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// How a client shows a node who he is, and which certificate he takes for the node's.
///
/// @param authorization value of the header `Authorization`, or null for none
/// @param trusted null for what the JDK trusts
public record NodeLogin(
        @Nullable String authorization, @Nullable SSLContext trusted) {

    public static final NodeLogin NONE = new NodeLogin(null, null);

    public HttpRequest.Builder on(HttpRequest.Builder request) {
        return authorization == null ? request : request.header("Authorization", authorization);
    }

    public HttpClient.Builder on(HttpClient.Builder client) {
        return trusted == null ? client : client.sslContext(trusted);
    }

    /// Does not show it.
    @Override
    public String toString() {
        return "a login";
    }
}
