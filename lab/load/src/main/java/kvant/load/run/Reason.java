package kvant.load.run;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A reason against a run. Results contain the English sentence. For other languages the kind and its values are parsed
/// from the sentence, also from older files.
public enum Reason {
    STOPPED("stopped before its end"),
    SERVER_GONE("the server is gone: {}"),
    SERVER_GONE_AT_THE_END("the server was gone at the end: {}"),
    TOO_FEW("too few requests to judge: {} were due, and a median needs {}"),
    /// Its value is empty, or a colon and the last failure.
    NOTHING_ANSWERED("no request was answered{}"),
    WARMUP_FAILED("most of the warm-up failed: {} of the {} requests that were sent got no answer{}"),
    WARMUP_UNANSWERED("most of the warm-up was not answered: of {} requests {} were never sent, and {} failed;"
            + " the server is slower than the rate"),
    WARMUP_UNSTABLE("the server was still not stable after {} s of warm-up: successive windows differ"),
    BUSY("a thread of the generator was busy {} % of the time: the server may be faster than this rate"
            + " (more -t, on more cores)"),
    OUT_OF_TIME("the generator had no time left ({} %) and reached {} % of the rate: it was the bottleneck ({})"),
    STRAYS("the server sent bytes without a request on {} connections: some answers may be those of other"
            + " requests"),
    LATE_BOTTLENECK("the generator sent late, and {} ms of the response p99 of {} ms may be its own: it was the"
            + " bottleneck ({})"),
    LATE("the generator sent late, and {} ms of the response p99 of {} ms may be its own: the tail is partly its own");

    private static final String VALUE = "{}";

    private final String sentence;
    private final Pattern pattern;

    Reason(String sentence) {
        this.sentence = sentence;
        this.pattern = Pattern.compile(
                Arrays.stream(sentence.split(Pattern.quote(VALUE), -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining("(.*?)")),
                Pattern.DOTALL);
    }

    /// A parsed sentence.
    ///
    /// @param values in their order
    public record Said(Reason reason, List<String> values) {

        public Said {
            values = List.copyOf(values);
        }

        /// A value as a whole number; 0 if it is none.
        public long number(int value) {
            return Math.round(figure(value));
        }

        /// A value as a number; 0 if it is none.
        public double figure(int value) {
            return values.get(value).matches("\\d{1,15}(\\.\\d{1,9})?") ? Double.parseDouble(values.get(value)) : 0;
        }

        /// The last failure, or empty.
        public String trouble(int value) {
            return values.get(value).replaceFirst("^: ", "");
        }
    }

    /// The sentence with these values inserted; extra values are ignored.
    public String text(Object... values) {
        String text = sentence;
        for (Object value : values) {
            text = text.replaceFirst(Pattern.quote(VALUE), Matcher.quoteReplacement(value.toString()));
        }
        return text;
    }

    /// Empty if the text is none of these sentences.
    public static Optional<Said> read(String text) {
        for (Reason reason : values()) {
            Matcher matcher = reason.pattern.matcher(text);
            if (matcher.matches()) {
                List<String> values = IntStream.rangeClosed(1, matcher.groupCount())
                        .mapToObj(matcher::group)
                        .toList();
                return Optional.of(new Said(reason, values));
            }
        }
        return Optional.empty();
    }
}
