package kvant.load.keys;

import java.util.Locale;

/// The distribution of requests over existing keys, as text: `sequential`, `uniform`, `zipfian`, `zipfian=THETA`,
/// `latest`, `hot=SHARE:PROBABILITY`.
public sealed interface KeyPlan {

    /// All keys in order, repeatedly; each thread has its own share of them.
    record Sequential() implements KeyPlan {
        @Override
        public String toString() {
            return "sequential";
        }
    }

    record Uniform() implements KeyPlan {
        @Override
        public String toString() {
            return "uniform";
        }
    }

    /// Zipfian popularity, with the popular keys scattered over all keys.
    record Scrambled(double theta) implements KeyPlan {
        @Override
        public String toString() {
            return "zipfian=" + theta;
        }
    }

    /// Zipfian popularity of the most recent inserts.
    record Latest() implements KeyPlan {
        @Override
        public String toString() {
            return "latest";
        }
    }

    /// A share of the keys receives a share of the requests.
    record HotSet(double share, double probability) implements KeyPlan {
        @Override
        public String toString() {
            return "hot=" + share + ":" + probability;
        }
    }

    /// @throws IllegalArgumentException with a readable one-line reason
    static KeyPlan parse(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        int equals = lower.indexOf('=');
        String name = equals < 0 ? lower : lower.substring(0, equals);
        String argument = equals < 0 ? "" : lower.substring(equals + 1);
        if (equals >= 0 && !name.equals("zipfian") && !name.equals("hot")) {
            throw unknown(text);
        }
        return switch (name) {
            case "sequential" -> new Sequential();
            case "uniform" -> new Uniform();
            case "latest" -> new Latest();
            case "zipfian" -> new Scrambled(argument.isEmpty() ? Zipfian.YCSB_THETA : share(argument, text));
            case "hot" -> {
                int colon = argument.indexOf(':');
                if (colon < 0) {
                    throw unknown(text);
                }
                yield new HotSet(share(argument.substring(0, colon), text), share(argument.substring(colon + 1), text));
            }
            default -> throw unknown(text);
        };
    }

    private static double share(String number, String text) {
        try {
            double share = Double.parseDouble(number);
            if (share > 0 && share < 1) {
                return share;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new IllegalArgumentException("'" + text + "': '" + number + "' is not a number between 0 and 1");
    }

    private static IllegalArgumentException unknown(String text) {
        return new IllegalArgumentException("'" + text
                + "' is not one of sequential, uniform, zipfian, zipfian=THETA, latest, hot=SHARE:PROBABILITY");
    }
}
