package kvant.bench.simulation;

import java.util.random.RandomGenerator;

/// Which keys are written. Keys are numbers from 0 on.
public enum WritePattern {
    /// Each key once, ascending: a bulk load.
    SEQUENTIAL {
        @Override
        int next(long write, int keys, RandomGenerator random) {
            return (int) (write % keys);
        }
    },
    /// Every key as likely as any other: random overwrites.
    UNIFORM {
        @Override
        int next(long write, int keys, RandomGenerator random) {
            return random.nextInt(keys);
        }
    },
    /// Few keys are written often: the share of writes that go to the hottest part x of all keys is about x to the
    /// power of 0.1 (a power law, close to a Zipf distribution with exponent 0.9), scattered over all keys.
    SKEWED {
        @Override
        int next(long write, int keys, RandomGenerator random) {
            int rank = (int) (keys * Math.pow(random.nextDouble(), 10));
            return (int) (Integer.toUnsignedLong(rank * SCATTER) % keys);
        }
    },
    /// A queue: keys are appended at one end, and deleted at the other once there are as many as asked for.
    QUEUE {
        @Override
        int next(long write, int keys, RandomGenerator random) {
            if (write < keys) {
                return (int) write;
            }
            int turn = (int) ((write - keys) / 2);
            return (write - keys) % 2 == 0 ? keys + turn : ~turn;
        }
    };

    private static final int SCATTER = 0x9E37_79B1; // odd, so that no two ranks meet before the remainder

    /// @param write number of this write, from 0 on
    /// @param keys how many different keys there are at a time
    /// @return the key; its complement where the write deletes it
    abstract int next(long write, int keys, RandomGenerator random);
}
