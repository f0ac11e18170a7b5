package kvant.bench.http;

import java.util.List;
import kvant.lab.process.ProcessSampler;

/// A server under test: a process of its own that answers a fixed number of bytes at a URL.
///
/// @param worker the process that does the work
/// @param headers of each request
public record Subject(String name, ProcessHandle worker, String url, List<String> headers) {

    /// User and system time so far.
    public long cpuNanos() {
        return ProcessSampler.look(worker).cpuNanos();
    }
}
