package kvant.bench.http;

import kvant.lab.run.ProcessSampler;

/// A server under test: a process of its own that answers a fixed number of bytes at a URL.
///
/// @param worker the process that does the work
public record Subject(String name, ProcessHandle worker, String url) {

    /// User and system time so far.
    public long cpuNanos() {
        return ProcessSampler.look(worker).cpuNanos();
    }
}
