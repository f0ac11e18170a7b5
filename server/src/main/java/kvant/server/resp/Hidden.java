package kvant.server.resp;

import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;

/// Failures as replies, without the paths that an engine may name.
///
/// @param paths left out
public record Hidden(HiddenPaths paths) {

    Reply error(Outcome.Failed failed) {
        return Errors.of(failed, paths.hide(failed.detail()));
    }
}
