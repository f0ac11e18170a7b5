/// Copies the records of one store into another, resumes an interrupted copy, and compares the two stores afterwards.
///
///     Endpoint --Records--> Copy --Window--> Endpoint     Endpoint --Records--> Verification <--Records-- Endpoint
///                         |
///                      StateFile: up to which key everything is durable
@NullMarked
package kvant.move.copy;

import org.jspecify.annotations.NullMarked;
