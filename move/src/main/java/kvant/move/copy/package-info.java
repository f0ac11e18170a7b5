/// Copies the records of one store into another, goes on where it was stopped, and compares the two afterwards.
///
///     Home --Records--> Copy --Window--> Home          Home --Records--> Verification <--Records-- Home
///                         |
///                      StateFile: up to which key everything is durable
@NullMarked
package kvant.move.copy;

import org.jspecify.annotations.NullMarked;
