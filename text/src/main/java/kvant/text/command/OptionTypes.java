package kvant.text.command;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import kvant.text.FileTrouble;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.TypeConversionException;

/// Readers of option values that need no converter of their own: numbers, paths, enum constants. A wrong value is
/// reported in one line for every type.
public final class OptionTypes {

    private OptionTypes() {}

    /// For all options of a command and of its subcommands.
    ///
    /// @return the same command
    public static CommandLine register(CommandLine command) {
        command.registerConverter(int.class, OptionTypes::wholeNumber)
                .registerConverter(Integer.class, OptionTypes::wholeNumber)
                .registerConverter(double.class, OptionTypes::number)
                .registerConverter(Double.class, OptionTypes::number)
                .registerConverter(Path.class, OptionTypes::path);
        registerEnums(command);
        return command;
    }

    private static void registerEnums(CommandLine command) {
        for (ArgSpec option : command.getCommandSpec().args()) {
            if (option.type().isEnum()) {
                registerEnum(command, option.type());
            }
        }
        command.getSubcommands().values().forEach(OptionTypes::registerEnums);
    }

    private static <T> void registerEnum(CommandLine command, Class<T> type) {
        command.registerConverter(type, new Choice<>(type));
    }

    private static Integer wholeNumber(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException _) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
        }
    }

    /// An empty one would be the current directory: most likely it is a variable of a shell that is not set.
    private static Path path(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("the path is empty");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException(
                    "'" + text + "' is not a path: " + e.getReason() + FileTrouble.localeRemedy());
        }
    }

    private static Double number(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException _) {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
    }

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
}
