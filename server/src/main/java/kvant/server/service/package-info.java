/// The use cases of a node: get, put, delete, scan, probes; and where they run.
///
/// Knows the engine port and plain executors, and neither sockets nor Netty: an event loop is a
/// [java.util.concurrent.Executor] here.
@NullMarked
package kvant.server.service;

import org.jspecify.annotations.NullMarked;
