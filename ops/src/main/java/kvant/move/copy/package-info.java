/// Copies the records of one store into another, goes on where it was stopped, and compares the two afterwards.
///
///     Endpoint --Records--> Copy --Window--> Endpoint     Endpoint --Records--> Verification <--Records-- Endpoint
///                         |
///                      StateFile: up to which key everything is durable
@NullMarked
package kvant.move.copy;

import org.jspecify.annotations.NullMarked;
