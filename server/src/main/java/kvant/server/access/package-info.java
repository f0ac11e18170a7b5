/// Permissions of a node's clients: tokens and their scopes, files that are reloaded when they change, the audit log.
///
/// Knows neither HTTP nor connections.
@NullMarked
package kvant.server.access;

import org.jspecify.annotations.NullMarked;
