/// The settings of a node in the environment and in a file, and `kvant config`, which shows and checks them.
@NullMarked
package kvant.cli.config;

import org.jspecify.annotations.NullMarked;
