package kvant.load.compare;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import kvant.load.http.Target;
import kvant.load.result.Asked;
import kvant.load.result.Asked.Keyed;
import kvant.load.workload.Mix;

/// The parameters of a run, by name, as far as they matter to a comparison.
///
/// A difference in parameters that define a request, or when it is due, makes the figures incomparable: the server need
/// not be the cause. Parameters of the clients may differ on purpose, and are noted next to the verdict.
///
/// @param decisive the operations, keys, values, hits, the length of scans, the path of a plain request, and the rate
/// @param lesser clients, and other parameters worth a note
record Conditions(Map<String, String> decisive, Map<String, String> lesser) {

    static final Conditions NONE = new Conditions(Map.of(), Map.of());

    static Conditions of(Asked asked) {
        Map<String, String> decisive = new LinkedHashMap<>();
        Map<String, String> lesser = new LinkedHashMap<>();
        Keyed keyed = asked.workload().keyed();
        if (keyed == null) {
            decisive.put(
                    "a request", Objects.requireNonNullElse(asked.workload().method(), ""));
            decisive.put("a path", path(asked.url()));
        } else {
            decisive.put("operations", operations(keyed.mix()));
            decisive.put("keys", keyed.keys() + " " + keyed.keyDistribution());
            decisive.put("values", keyed.values() + " bytes");
            decisive.put("hits", number(keyed.hits()));
            Long most = keyed.mostScanned();
            decisive.put("a scan", most == null ? "" : "1 to " + most + " records");
            lesser.put("a workload", asked.workload().name());
            lesser.put("a path", path(asked.url()));
        }
        decisive.put("a rate", rate(asked.pace()));
        lesser.put("a dialect", asked.workload().dialect());
        lesser.put("connections", Long.toString(asked.clients().connections()));
        lesser.put("depth", Long.toString(asked.clients().depth()));
        lesser.put("threads", Long.toString(asked.clients().threads()));
        lesser.put("a timeout", asked.clients().timeoutNanos() / 1_000_000 + " ms");
        lesser.put("real time", asked.clients().realtime() ? "yes" : "no");
        return new Conditions(decisive, lesser);
    }

    private static String path(String url) {
        try {
            return Target.parse(url).path();
        } catch (IllegalArgumentException _) {
            return url; // from a file written by another program
        }
    }

    private static String operations(Mix mix) {
        return mix.shares().entrySet().stream()
                .filter(one -> one.getValue() > 0)
                .map(one -> number(one.getValue()) + " " + one.getKey())
                .collect(Collectors.joining(" "));
    }

    private static String rate(Asked.AskedPace pace) {
        return pace.isClosed() ? "none, a closed loop" : number(pace.targetRate()) + "/s " + pace.law();
    }

    private static String number(double number) {
        return Double.isFinite(number)
                ? BigDecimal.valueOf(number).stripTrailingZeros().toPlainString()
                : "unknown";
    }

    /// The reasons why the figures of the two are not comparable, in words; empty if they are.
    List<String> obstacles(Conditions other) {
        return differences(decisive, other.decisive);
    }

    /// The other differences, in words.
    List<String> notes(Conditions other) {
        return differences(lesser, other.lesser);
    }

    /// A parameter that only one side has counts as different: that side has another kind of workload.
    private static List<String> differences(Map<String, String> a, Map<String, String> b) {
        Map<String, String> names = new LinkedHashMap<>(a);
        names.putAll(b);
        List<String> differences = new ArrayList<>();
        for (String name : names.keySet()) {
            String ofA = Objects.requireNonNullElse(a.get(name), "none");
            String ofB = Objects.requireNonNullElse(b.get(name), "none");
            if (!ofA.equals(ofB) && !ofA.isEmpty() && !ofB.isEmpty()) { // empty: an older file without the parameter
                differences.add(name + ": " + ofA + " against " + ofB);
            }
        }
        return differences;
    }
}
