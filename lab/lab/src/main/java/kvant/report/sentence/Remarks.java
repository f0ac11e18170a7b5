package kvant.report.sentence;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import kvant.lab.result.Remark;
import kvant.load.result.RecordJson;
import kvant.report.folder.DecodedResult;
import kvant.report.verdict.Metric;
import kvant.report.words.Phrase;
import kvant.report.words.Phrase.Value;
import kvant.report.words.Words;
import kvant.report.words.Words.Language;
import org.jspecify.annotations.Nullable;

/// Converts remarks to phrases: the message `remark.KIND` of the catalogue, with the components as arguments by name.
/// If a quoted text is empty, the message is `remark.KIND.bare`. A given text that is a known sentence of a load is
/// translated to the report's language instead of quoted.
public final class Remarks {

    private static final char NO_BREAK = '\u00a0';

    private Remarks() {}

    /// For a report: without folders of this machine, which are meaningless to other readers.
    public static Phrase phrase(Remark remark) {
        return phrase(remark, DecodedResult::shortened);
    }

    /// For the command line.
    public static String english(Remark remark) {
        return english(phrase(remark, text -> text));
    }

    /// The same for any phrase.
    public static String english(Phrase phrase) {
        return new Words(Language.EN).say(phrase).replace(NO_BREAK, ' ');
    }

    private static Phrase phrase(Remark given, UnaryOperator<String> told) {
        Remark remark = given instanceof Remark.Given(String text) ? Remark.ofLoad(text) : given;
        String key = "remark." + RecordJson.kind(remark.getClass());
        Phrase phrase = phrase(key, (Record) remark, told);
        boolean bare = Stream.of("reason", "lastWords")
                .anyMatch(name -> Value.text("").equals(phrase.arguments().get(name)));
        return bare ? new Phrase(key + ".bare", phrase.arguments()) : phrase;
    }

    /// A message of the catalogue with the components of a record as arguments by name.
    static Phrase phrase(String key, Record record) {
        return phrase(key, record, DecodedResult::shortened);
    }

    private static Phrase phrase(String key, Record record, UnaryOperator<String> told) {
        Phrase phrase = Phrase.of(key);
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            String name = component.getName();
            @Nullable Value argument = argument(name, value(record, component), told);
            phrase = argument == null ? phrase : phrase.with(name, argument);
        }
        return phrase;
    }

    private static Object value(Record record, RecordComponent component) {
        try {
            return Objects.requireNonNull(component.getAccessor().invoke(record));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read", e);
        }
    }

    /// The value for a component, by its type and the unit in its name; null if it is not used in sentences.
    private static @Nullable Value argument(String name, Object value, UnaryOperator<String> told) {
        return switch (value) {
            case String text -> Value.text(told.apply(text));
            case Number nanos when name.toLowerCase(Locale.ROOT).contains("nanos") -> Value.nanos(nanos.doubleValue());
            case Long bytes when name.endsWith("Bytes") -> new Value.Bytes(bytes);
            case Double share -> Value.percent(share);
            case Number count -> Value.count(count.longValue());
            case List<?> texts ->
                new Value.Listing(
                        texts.stream().map(one -> Value.text(one.toString())).toList());
            case Remark nested -> new Value.Nested(phrase(nested, told));
            case Metric metric -> new Value.Nested(VerdictSentences.nameOf(metric));
            default -> null;
        };
    }
}
