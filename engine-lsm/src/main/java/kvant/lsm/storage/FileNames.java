package kvant.lsm.storage;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The names of the store's files: a number and the kind. Numbers are never used twice.
public final class FileNames {

    /// The engine's name in the identity file of the data directory.
    public static final String ENGINE = "lsm";

    /// The directory in a data directory that holds them.
    public static final String DIRECTORY = "lsm";

    public static final String MANIFEST = "MANIFEST";
    public static final String MANIFEST_NEW = "MANIFEST.new";

    /// A log that is being preallocated and has no number yet. Never part of the store under this name.
    public static final String LOG_NEXT = "NEXT.log";

    /// Says where the logs are that are not here, and in the directory of these whose they are.
    public static final String LOGS = "LOGS";

    public static final String LOGS_NEW = "LOGS.new";

    /// The directory in a log directory that holds the logs.
    public static final String LOG_DIRECTORY = "logs";

    private static final String LOG_SUFFIX = ".log";
    private static final String TABLE_SUFFIX = ".table";
    private static final String VALUES_SUFFIX = ".values";

    private FileNames() {}

    public static String log(long number) {
        return name(number, LOG_SUFFIX);
    }

    public static String table(long number) {
        return name(number, TABLE_SUFFIX);
    }

    /// A value file.
    public static String values(long number) {
        return name(number, VALUES_SUFFIX);
    }

    /// The number of a log by this name, or null for any other file.
    public static @Nullable Long logNumber(String name) {
        return number(name, LOG_SUFFIX);
    }

    /// Whether this is the name of a log, or of the log in preparation.
    public static boolean isLog(String name) {
        return name.equals(LOG_NEXT) || logNumber(name) != null;
    }

    /// The number of a table by this name, or null for any other file.
    public static @Nullable Long tableNumber(String name) {
        return number(name, TABLE_SUFFIX);
    }

    /// The number of a value file by this name, or null for any other file.
    public static @Nullable Long valuesNumber(String name) {
        return number(name, VALUES_SUFFIX);
    }

    /// Whether this is a log, a table or a value file.
    public static boolean isNumbered(String name) {
        return logNumber(name) != null || tableNumber(name) != null || valuesNumber(name) != null;
    }

    /// The root locale, because some others have digits of their own.
    private static String name(long number, String suffix) {
        return String.format(Locale.ROOT, "%08d%s", number, suffix);
    }

    private static @Nullable Long number(String name, String suffix) {
        if (!name.endsWith(suffix)) {
            return null;
        }
        try {
            long number = Long.parseLong(name.substring(0, name.length() - suffix.length()));
            return number >= 0 && name.equals(name(number, suffix)) ? number : null;
        } catch (NumberFormatException _) {
            return null;
        }
    }
}
