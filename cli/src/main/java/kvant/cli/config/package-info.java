/// Settings of a node from the environment and from a file, and `kvant config`, which shows and checks them.
@NullMarked
package kvant.cli.config;

import org.jspecify.annotations.NullMarked;
