package kvant.load.compare;

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
        double low = 0;
        double high = FARTHEST;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (within(middle, degrees) < confidence) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }
}
