package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import kvant.lsm.LogPlace;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Test;

/// The store of a warm-up is another one than that of the node.
class WarmUpFlagsTest {

    @Test
    void theLogDirectoryOfTheNodeIsNotThatOfItsWarmUp() {
        LsmOptions options = LsmOptions.defaults().with(o -> o.logPlace = LogPlace.in(Path.of("logs")));
        assertThat(WarmUpFlags.small(options).logPlace()).isEqualTo(LogPlace.INSIDE);
    }
}
