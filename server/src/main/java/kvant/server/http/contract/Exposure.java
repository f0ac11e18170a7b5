package kvant.server.http.contract;

import java.util.Set;
import kvant.server.access.AccessControl;
import kvant.server.accesslog.AccessLog;
import org.jspecify.annotations.Nullable;

/// What a node shows at one of its listeners, to whom, and under which names.
///
/// @param hosts which hosts a request may name
/// @param routes which paths there are
/// @param strictPaths whether a path where nothing is gets 400, and not 404
/// @param paths what is left out of every text
/// @param cors whose pages may read and write keys
/// @param access who may ask for what
/// @param log where requests are told of, or null
public record Exposure(
        ServedHosts hosts,
        Set<Route> routes,
        boolean strictPaths,
        HiddenPaths paths,
        CorsOrigins cors,
        AccessControl access,
        @Nullable AccessLog log) {}
