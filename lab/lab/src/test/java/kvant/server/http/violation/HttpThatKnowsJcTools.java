package kvant.server.http.violation;

import org.jctools.queues.MpscArrayQueue;

/// Runs into a wall on purpose; see LibrariesTest.
public record HttpThatKnowsJcTools(MpscArrayQueue<String> knows) {}
