package kvant.lab.load;

import java.util.List;
import kvant.lab.http.Target;
import kvant.lab.workload.RequestForms;
import kvant.lab.workload.Workload;

/// One run, as it was asked for.
///
/// @param headers lines of the form `Name: value`, for every request
/// @param body of a plain request
/// @param firstInsert number of the first key that the run inserts
/// @param verify whether the bodies of gets are compared with what was put
/// @param slowShare which share of the requests is kept one by one, the slowest of them; 0 for none
public record LoadPlan(
        Target target,
        Workload workload,
        List<String> headers,
        byte[] body,
        Clients clients,
        Pace pace,
        long firstInsert,
        long seed,
        boolean verify,
        double slowShare) {

    public LoadPlan {
        headers = List.copyOf(headers);
        for (String header : headers) {
            if (!header.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\x20-\\x7e\\t]*")) {
                throw new IllegalArgumentException("'" + header + "' is not a header such as 'Name: value'");
            }
        }
        if (firstInsert < 0 || firstInsert > workload.keyText().capacity()) {
            throw new IllegalArgumentException("the first key must be from 0 to what the digits of a key can tell");
        }
        if (!(slowShare >= 0 && slowShare <= 1)) {
            throw new IllegalArgumentException("the share of the slowest requests must be from 0 to 1");
        }
    }

    public static LoadPlan of(Target target, Workload workload, Clients clients, Pace pace) {
        long firstInsert = workload.mix().needsKeys() ? workload.keys() : 0;
        return new LoadPlan(target, workload, List.of(), new byte[0], clients, pace, firstInsert, 1, false, 0);
    }

    RequestForms forms() {
        return RequestForms.of(workload, target, headers, body);
    }

    public LoadPlan withHeaders(List<String> other) {
        return new LoadPlan(target, workload, other, body, clients, pace, firstInsert, seed, verify, slowShare);
    }

    public LoadPlan withBody(byte[] other) {
        return new LoadPlan(target, workload, headers, other, clients, pace, firstInsert, seed, verify, slowShare);
    }

    public LoadPlan withPace(Pace other) {
        return new LoadPlan(target, workload, headers, body, clients, other, firstInsert, seed, verify, slowShare);
    }

    public LoadPlan withFirstInsert(long other) {
        return new LoadPlan(target, workload, headers, body, clients, pace, other, seed, verify, slowShare);
    }

    public LoadPlan withSeed(long other) {
        return new LoadPlan(target, workload, headers, body, clients, pace, firstInsert, other, verify, slowShare);
    }

    public LoadPlan withVerify(boolean other) {
        return new LoadPlan(target, workload, headers, body, clients, pace, firstInsert, seed, other, slowShare);
    }

    public LoadPlan withSlowShare(double other) {
        return new LoadPlan(target, workload, headers, body, clients, pace, firstInsert, seed, verify, other);
    }
}
