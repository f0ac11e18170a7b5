/// Faults: what a disk, a clock, a network or a power cut does to a node.
@NullMarked
package kvant.prove.fault;

import org.jspecify.annotations.NullMarked;
