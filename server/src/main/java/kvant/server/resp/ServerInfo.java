package kvant.server.resp;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/// The node's description of itself for clients of RESP.
///
/// @param version of the program
/// @param engine name of its storage engine
/// @param connections open ones
/// @param ids the last number given to a connection
/// @param beganNanos nano time of the start
public record ServerInfo(String version, String engine, IntSupplier connections, AtomicLong ids, long beganNanos) {

    public ServerInfo(String version, String engine, IntSupplier connections) {
        this(version, engine, connections, new AtomicLong(), System.nanoTime());
    }
}
