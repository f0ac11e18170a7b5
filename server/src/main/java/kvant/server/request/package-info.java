/// Requests and outcomes as data: requests, preconditions, outcomes, failures, and the format of a batch. Independent
/// of connections, executors and particular engines.
@NullMarked
package kvant.server.request;

import org.jspecify.annotations.NullMarked;
