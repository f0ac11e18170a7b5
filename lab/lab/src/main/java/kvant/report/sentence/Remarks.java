package kvant.report.sentence;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import kvant.lab.result.LoadRemarks;
import kvant.lab.result.Remark;
import kvant.load.result.RecordJson;
import kvant.report.folder.Paths;
import kvant.report.words.Language;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
import kvant.report.words.Words;

/// Remarks as phrases: the message `remark.KIND` of the catalogue, in which the components stand under their names.
/// Where a text that is quoted is empty, it is `remark.KIND.bare`. What was given as a text and is a sentence of a load
/// is no quotation: it is said in the language of the report.
public final class Remarks {

    private static final char NO_BREAK = '\u00a0';

    private Remarks() {}

    /// For a report: others read it, to whom folders of this machine say nothing.
    public static Phrase phrase(Remark remark) {
        return phrase(remark, Paths::shortened);
    }

    /// For the command line.
    public static String english(Remark remark) {
        return english(phrase(remark, text -> text));
    }

    /// The same of any phrase.
    public static String english(Phrase phrase) {
        return new Words(Language.EN).say(phrase).replace(NO_BREAK, ' ');
    }

    private static Phrase phrase(Remark given, UnaryOperator<String> told) {
        Remark remark = given instanceof Remark.Given(String text) ? LoadRemarks.of(text) : given;
        String key = "remark." + RecordJson.kind(remark.getClass());
        Phrase phrase = Phrase.of(key);
        boolean bare = false;
        for (RecordComponent component : remark.getClass().getRecordComponents()) {
            Object value = value(remark, component);
            bare |= value.equals("")
                    && (component.getName().equals("reason")
                            || component.getName().equals("lastWords"));
            phrase = phrase.with(component.getName(), argument(component.getName(), value, told));
        }
        return bare ? new Phrase(key + ".bare", phrase.arguments()) : phrase;
    }

    private static Object value(Remark remark, RecordComponent component) {
        try {
            return Objects.requireNonNull(component.getAccessor().invoke(remark));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read", e);
        }
    }

    private static Value argument(String name, Object value, UnaryOperator<String> told) {
        return switch (value) {
            case String text -> Value.text(told.apply(text));
            case Long nanos when name.endsWith("Nanos") -> Value.nanos(nanos);
            case Long bytes when name.endsWith("Bytes") -> new Value.Bytes(bytes);
            case Long count -> Value.count(count);
            case List<?> texts ->
                new Value.Listing(
                        texts.stream().map(one -> Value.text(one.toString())).toList());
            case Remark nested -> new Value.Nested(phrase(nested, told));
            default -> throw new IllegalArgumentException(name + " has no place in a sentence");
        };
    }
}
