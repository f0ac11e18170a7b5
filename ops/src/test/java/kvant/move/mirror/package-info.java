@org.jspecify.annotations.NullMarked
package kvant.move.mirror;
