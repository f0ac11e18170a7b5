/// The protocols of servers under test: encoding of requests, and interpretation of answers.
@NullMarked
package kvant.load.dialect;

import org.jspecify.annotations.NullMarked;
