package kvant.bench.published;

import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import kvant.lsm.LsmOptions;
import kvant.lsm.LsmParts;
import kvant.lsm.RandomOptionsContract;
import org.junit.jupiter.api.Tag;

/// Histories in which the engine has other ways at every start.
@Tag("full") // a minute: ways that lost
class PublishedRandomOptionsTest extends RandomOptionsContract {

    @Override
    protected Opening opening(LsmOptions drawn, RandomGenerator random) {
        Set<PublishedWay> ways = EnumSet.noneOf(PublishedWay.class);
        LsmOptions options = drawn;
        boolean onMaps = random.nextBoolean();
        if (onMaps) {
            long memtableBytes = 1L << (10 + random.nextInt(11)); // it begins with nothing, and so may be small
            options = drawn.with(o -> o.memtableBytes = memtableBytes);
        }
        if (random.nextInt(4) == 0) {
            ways.add(PublishedWay.FOREGROUND_FLUSH);
        }
        LsmParts parts = new PublishedLsm(ways).parts();
        return new Opening(options, onMaps ? new MapMemtables(parts) : parts);
    }
}
