package kvant.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import kvant.engine.Durability;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The command line options of the LSM engine.
class LsmFlagsTest {

    @Test
    void aRangeMayTakeTenMinutesOrAsLongAsTheOptionSays() {
        assertThat(options().maxScanLife()).isEqualTo(Duration.ofMinutes(10));
        assertThat(options("--lsm.range-life=7").maxScanLife()).isEqualTo(Duration.ofSeconds(7));
    }

    private static LsmOptions options(String... words) {
        return CommandLine.populateCommand(new LsmFlags(), words).options(Durability.ALWAYS);
    }
}
