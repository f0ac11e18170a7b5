package kvant.bench.http;

import java.util.List;
import kvant.bench.process.Generator;
import kvant.lab.run.ServedNode;
import kvant.load.http.Target;
import kvant.load.net.Trust;
import kvant.load.plan.LoadPlan;

/// A server under test, with one of its URLs.
///
/// @param headers of each request
public record Subject(String name, ServedNode server, String url, List<String> headers) {

    static Subject of(String name, ServedNode server) {
        return new Subject(name, server, server.target().url(), List.of());
    }

    /// A closed loop of GETs of the unmodified URL, as with wrk.
    ///
    /// @param seconds from the first request, without a warm-up
    LoadPlan plain(int connections, double seconds) {
        return Generator.plain(Target.parse(url), connections).with(p -> {
            p.headers = headers;
            p.trust = Trust.blind();
            p.pace = Generator.pace(0, 0, seconds);
        });
    }
}
