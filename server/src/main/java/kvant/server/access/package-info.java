/// Who may ask a node for what: tokens and their scopes, files that are read again when they change, the audit log.
///
/// Knows neither HTTP nor connections.
@NullMarked
package kvant.server.access;

import org.jspecify.annotations.NullMarked;
