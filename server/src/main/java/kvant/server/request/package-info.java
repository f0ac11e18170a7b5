/// What a client asks and what it is told, as data: requests, preconditions, outcomes, failures, and the format of a
/// batch. Knows no connection, no executor and no engine's ways.
@NullMarked
package kvant.server.request;

import org.jspecify.annotations.NullMarked;
