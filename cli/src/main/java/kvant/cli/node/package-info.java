/// Commands of a client of a node: get, put, delete, scan, watch, status.
@NullMarked
package kvant.cli.node;

import org.jspecify.annotations.NullMarked;
