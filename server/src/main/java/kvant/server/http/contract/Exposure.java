package kvant.server.http.contract;

import java.util.Set;
import kvant.server.access.AccessControl;
import kvant.server.accesslog.AccessLog;
import org.jspecify.annotations.Nullable;

/// The exposure of a node at one of its listeners: its routes, permissions, and names.
///
/// @param hosts accepted names in `Host`
/// @param routes available paths
/// @param strictPaths whether an unknown path gets 400, and not 404
/// @param paths file paths that are hidden in every text
/// @param cors origins whose pages may read and write keys
/// @param access permissions of the clients
/// @param log access log, or null
public record Exposure(
        ServedHosts hosts,
        Set<Route> routes,
        boolean strictPaths,
        HiddenPaths paths,
        CorsOrigins cors,
        AccessControl access,
        @Nullable AccessLog log) {}
