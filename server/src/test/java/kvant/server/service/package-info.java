/// Tests of the package, from within.
@NullMarked
package kvant.server.service;

import org.jspecify.annotations.NullMarked;
