package kvant.text.command;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// An option whose values are the constants of an enum, written in lower case and read in any.
record Choice<T>(Class<T> type) implements ITypeConverter<T> {

    @Override
    public T convert(String text) {
        for (T constant : type.getEnumConstants()) {
            if (constant.toString().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        throw new TypeConversionException("'" + text + "' is not one of " + allowed());
    }

    private String allowed() {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}
