package kvant.report.verdict;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kvant.lab.result.DifferenceRecord;
import kvant.lab.result.ThreadFrame;
import kvant.report.folder.Profile;
import org.jspecify.annotations.Nullable;

/// Finds the frame in which two profiles differ and that says most.
///
/// What frames of a server are about stands in a catalogue beside its code: the resource [#CATALOGUE],
/// which any jar on the class path may have. Each line has a [Concept], or `ROOTS` for frames that stand
/// below everything, and names of classes: `Simple`, `Simple#method`, or `a/package/*`. Without one, only
/// frames of the JDK, the JVM and the kernel are understood, and others are named as they are.
public final class Frames {

    /// Its name on the class path.
    public static final String CATALOGUE = "META-INF/kvant/frames.properties";

    private static final String ROOTS = "ROOTS";

    /// Shares that differ by less are not worth a word.
    private static final double LEAST = 0.01;

    private static final double SIGMAS = 3;

    /// Frames that stand below everything and so say nothing.
    private static final Pattern COMMON_ROOTS =
            Pattern.compile("(?i:all|\\[unknown.*|start_thread|clone3?|thread_native_entry"
                    + "|entry_SYSCALL.*|do_syscall.*|x64_sys_call|.*JavaThread::.*|.*JavaCalls::.*"
                    + "|java/lang/(Virtual)?Thread\\.run.*|.*Thread::call_run|.*\\$\\$Lambda.*"
                    + "|.*ThreadPoolExecutor\\$?\\w*\\.run\\w*|.*SingleThreadIoEventLoop.*"
                    + "|.*SingleThreadEventExecutor.*"
                    + "|.*FastThreadLocalRunnable.*)");

    private final Pattern ownRoots;
    private final Map<Concept, Pattern> concepts = new EnumMap<>(Concept.class);

    private Frames(Map<String, List<String>> catalogue) {
        String own = patterns(catalogue.getOrDefault(ROOTS, List.of()));
        this.ownRoots = Pattern.compile(own.isEmpty() ? "(?!)" : own);
        for (Concept concept : Concept.values()) {
            concepts.put(concept, concept.frames(patterns(catalogue.getOrDefault(concept.name(), List.of()))));
        }
    }

    /// With the catalogues on the class path.
    public static Frames onClassPath() {
        Map<String, List<String>> catalogue = new TreeMap<>();
        try {
            for (URL url : Collections.list(Frames.class.getClassLoader().getResources(CATALOGUE))) {
                read(url)
                        .forEach((key, names) -> catalogue
                                .computeIfAbsent(key.toString(), _ -> new ArrayList<>())
                                .addAll(List.of(names.toString().strip().split("\\s+"))));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Frames(catalogue);
    }

    /// With these names and no others.
    public static Frames of(Map<String, List<String>> catalogue) {
        return new Frames(catalogue);
    }

    private static Properties read(URL url) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = url.openStream()) {
            properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        }
        return properties;
    }

    private static String patterns(List<String> names) {
        return names.stream().map(Frames::pattern).collect(Collectors.joining("|"));
    }

    /// Frames have the form `a/package/Simple.method`; classes within a class count as the class.
    private static String pattern(String name) {
        if (name.endsWith("/*")) {
            return "^" + Pattern.quote(name.substring(0, name.length() - 1));
        }
        int hash = name.indexOf('#');
        String type = "(?:^|/)" + Pattern.quote(hash < 0 ? name : name.substring(0, hash)) + "(?:\\$[\\w$]+)?\\.";
        return hash < 0 ? type : type + Pattern.quote(name.substring(hash + 1)) + "(?!\\w)";
    }

    /// A difference worth a sentence.
    ///
    /// @param concept null where nobody has a word for the frame
    record Standout(DifferenceRecord.Frame frame, @Nullable Concept concept) {}

    /// The largest difference that is more than chance.
    ///
    /// @param samples of the smaller profile, 0 where unknown
    Optional<Standout> foremost(Profile.Difference difference, long samples) {
        List<DifferenceRecord.Frame> worthy = difference.frames().stream()
                .filter(frame -> !isRoot(frame.frame()))
                .filter(frame -> Math.abs(frame.delta()) >= LEAST && !isChance(frame, samples))
                .sorted(Comparator.comparingDouble((DifferenceRecord.Frame frame) -> -Math.abs(frame.delta())))
                .toList();
        return known(worthy, concept -> concept != Concept.COMPILER)
                .or(() -> known(worthy, _ -> true))
                .or(() -> worthy.stream()
                        .filter(frame -> !isWholeThread(frame, difference))
                        .findFirst()
                        .map(frame -> new Standout(frame, null)));
    }

    /// Whether all that a thread does passes through a frame. One that nobody has a word for says then no more
    /// than that this thread works.
    private static boolean isWholeThread(DifferenceRecord.Frame frame, Profile.Difference difference) {
        return difference.frames().stream()
                .anyMatch(one -> ThreadFrame.is(one.frame()) && one.a() == frame.a() && one.b() == frame.b());
    }

    /// Which thread works is no finding either.
    private boolean isRoot(String frame) {
        return ThreadFrame.is(frame)
                || COMMON_ROOTS.matcher(frame).matches()
                || ownRoots.matcher(frame).find();
    }

    /// The first that there is a word for. How much a JVM compiles tells how warm it was, and only
    /// then something of what it runs.
    private Optional<Standout> known(List<DifferenceRecord.Frame> worthy, Predicate<Concept> wanted) {
        for (DifferenceRecord.Frame frame : worthy) {
            Optional<Concept> concept = about(frame.frame()).filter(wanted);
            if (concept.isPresent()) {
                return Optional.of(new Standout(frame, concept.get()));
            }
        }
        return Optional.empty();
    }

    /// What a frame is about.
    Optional<Concept> about(String frame) {
        return concepts.entrySet().stream()
                .filter(one -> one.getValue().matcher(frame).find())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /// Samples are drawn: with few of them, shares differ by accident.
    private static boolean isChance(DifferenceRecord.Frame frame, long samples) {
        if (samples <= 0) {
            return false;
        }
        double joint = (frame.a() + frame.b()) / 2;
        return Math.abs(frame.delta()) <= SIGMAS * Math.sqrt(joint * (1 - joint) * 2 / samples);
    }
}
