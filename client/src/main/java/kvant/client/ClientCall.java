package kvant.client;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One thing that a node is asked for, however many tries it takes.
///
/// @param target path and query, behind the path of the node
/// @param headers names and values in turn
/// @param body null for none
/// @param effect whether it may be sent again
/// @param bodies how the body of an answer is taken
/// @param answer what the caller gets
record ClientCall<T>(
        String method,
        String target,
        List<String> headers,
        byte @Nullable [] body,
        Effect effect,
        BodyHandler<Received> bodies,
        Answer<T> answer) {

    /// Understands the answer that was asked for.
    interface Answer<T> {

        /// @return nothing where the answer is another one, such as a refusal
        Optional<T> of(HttpResponse<Received> response);
    }

    /// Without key and parameters, which are not for logs.
    String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }
}
