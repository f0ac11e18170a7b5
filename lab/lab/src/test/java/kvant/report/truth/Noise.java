package kvant.report.truth;

import java.util.Random;

/// Sources of differences between steps other than the variant. All of it is in every kind: a mood of the machine that
/// A and B of a round share and that wanders from round to round, and a steady drift from step to step. The kinds
/// differ in the noise of single steps.
public enum Noise {
    /// A machine of its own: steps differ by 3 %.
    QUIET(0.03, 0),
    /// A machine that others use: by 12 %.
    SHARED(0.12, 0),
    /// The same, and one step of twelve is slowed down by half, or much more.
    DISTURBED(0.12, 1.0 / 12);

    /// Of the mood, and how much of it stays from round to round.
    private static final double MOOD = 0.3;

    private static final double STAYS = 0.7;

    /// Each step is so much slower than the one before.
    private static final double DRIFT = 0.003;

    /// Of the logarithm of a disturbance.
    private static final double DISTURBANCE = 0.7;

    private final double spread;
    private final double disturbed;

    /// @param spread standard deviation of the logarithm of a step
    /// @param disturbed share of the steps that are disturbed
    Noise(double spread, double disturbed) {
        this.spread = spread;
        this.disturbed = disturbed;
    }

    /// Logarithms of the figures of A and B in rounds that follow each other, where B is A but for the
    /// noise. Every second round has B first.
    ///
    /// @return by variant and round
    double[][] rounds(int count, Random random) {
        double[][] logs = new double[2][count];
        double mood = 0;
        for (int round = 0; round < count; round++) {
            mood = STAYS * mood + Math.sqrt(1 - STAYS * STAYS) * MOOD * random.nextGaussian();
            int first = round % 2;
            for (int place = 0; place < 2; place++) {
                double drift = DRIFT * (2 * round + place);
                logs[(first + place) % 2][round] = mood + drift + step(random);
            }
        }
        return logs;
    }

    private double step(Random random) {
        double own = spread * random.nextGaussian();
        return random.nextDouble() < disturbed ? own + Math.abs(DISTURBANCE * random.nextGaussian()) : own;
    }
}
