/// The fixed parts of the HTTP contract (docs/http-api.md): routes, methods, problems, alphabets of RFC 9110, and all
/// bounds.
@NullMarked
package kvant.server.http.contract;

import org.jspecify.annotations.NullMarked;
