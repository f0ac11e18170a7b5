package kvant.load.workload;

import java.util.List;
import kvant.load.dialect.RequestEncoder;
import kvant.load.http.RequestForm;
import kvant.load.http.Target;

/// The templates for the requests of a workload, for one server and one loop.
///
/// @param plain the constant request; empty if requests have keys
public record RequestForms(byte[] plain, RequestEncoder encoder) {

    /// @param headers lines of the form `Name: value`, for every request
    /// @param body of the plain request
    public static RequestForms of(Workload workload, Target target, List<String> headers, byte[] body) {
        byte[] plain = workload.plain()
                ? RequestForm.fixed(
                        workload.method(), target.path(), RequestForm.head(target.authority(), headers), body)
                : new byte[0];
        RequestEncoder encoder = workload.dialect()
                .encoder(target, workload.entityPath(), workload.scanPath(), headers, workload.keyText());
        return new RequestForms(plain, encoder);
    }

    int mostBytes(Workload workload) {
        return workload.plain()
                ? plain.length
                : encoder.mostBytes(workload.values().most());
    }
}
