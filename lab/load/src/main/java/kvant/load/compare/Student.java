package kvant.load.compare;

import java.util.function.DoublePredicate;

/// Student's t distribution for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
public final class Student {

    private static final int BISECTIONS = 100;
    private static final double FARTHEST = 1e6;

    private Student() {}

    /// The probability that a value lies within `[-t, t]`.
    static double within(double t, int degrees) {
        double angle = Math.atan(t / Math.sqrt(degrees));
        double cosine = Math.cos(angle);
        boolean odd = degrees % 2 == 1;
        double term = odd ? cosine : 1;
        double sum = odd && degrees == 1 ? 0 : term;
        for (int i = odd ? 3 : 2; i <= degrees - 2; i += 2) {
            term *= cosine * cosine * (i - 1) / i;
            sum += term;
        }
        return odd ? 2 / Math.PI * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
    }

    /// Half-width of a confidence interval, in standard errors.
    public static double halfWidth(double confidence, int degrees) {
        return highest(0, FARTHEST, BISECTIONS, t -> within(t, degrees) < confidence);
    }

    /// The end of the range in which a condition holds, by bisection.
    static double highest(double from, double to, int bisections, DoublePredicate holds) {
        double low = from;
        double high = to;
        for (int i = 0; i < bisections; i++) {
            double middle = (low + high) / 2;
            if (holds.test(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }
}
