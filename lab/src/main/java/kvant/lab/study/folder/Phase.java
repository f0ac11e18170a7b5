package kvant.lab.study.folder;

/// One kind of load.
///
/// @param rate requests a second, NaN in a closed loop
public record Phase(
        String name,
        String workload,
        double rate,
        double durationNanos,
        long connections,
        long threads,
        String warmup) {

    static Phase of(Document json) {
        return new Phase(
                json.at("name").text(),
                json.at("workload").text(),
                json.at("rate").number(),
                json.at("durationNanos").number(),
                json.at("connections").whole(),
                json.at("threads").whole(),
                json.at("warmup").text());
    }
}
