package kvant.load.workload;

import java.util.List;
import kvant.load.http.RequestForm;
import kvant.load.http.Target;

/// The forms of all requests of a workload, for one server.
public record RequestForms(RequestForm plain, RequestForm get, RequestForm put, RequestForm delete, RequestForm scan) {

    /// @param headers lines of the form `Name: value`, for every request
    /// @param body of the plain request
    public static RequestForms of(Workload workload, Target target, List<String> headers, byte[] body) {
        String head = RequestForm.head(target.authority(), headers);
        String base = !workload.plain() && target.hasPath() ? target.path().replaceAll("/+$", "") : "";
        String entity = base + workload.entityPath();
        return new RequestForms(
                RequestForm.fixed(workload.method(), target.path(), head, body),
                RequestForm.withKey("GET", entity, head),
                RequestForm.withBody("PUT", entity, head),
                RequestForm.withKey("DELETE", entity, head),
                RequestForm.withLimit("GET", base + workload.scanPath(), head));
    }

    int mostBytes(Workload workload) {
        int key = workload.keyText().mostBytes();
        int keyed = Math.max(
                Math.max(get.mostBytes(key), put.mostBytes(key)), Math.max(delete.mostBytes(key), scan.mostBytes(key)));
        return Math.max(plain.mostBytes(0), keyed + workload.mostBodyBytes());
    }
}
