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
import kvant.lab.result.ProfileRecord;
import kvant.lab.result.ProfileRecord.DifferenceRecord;
import kvant.report.folder.Profile;
import org.jspecify.annotations.Nullable;

/// Finds the most informative frame among those in which two profiles differ.
///
/// The subjects of a server's frames are in a catalogue next to its code: the resource [#CATALOGUE], which any jar on
/// the class path may have. Each line has a [Concept], or `ROOTS` for frames at the base of all stacks, and names of
/// classes: `Simple`, `Simple#method`, or `a/package/*`. Without a catalogue, only frames of the JDK, the JVM and the
/// kernel are understood, and others are shown literally.
public final class Frames {

    /// Its name on the class path.
    public static final String CATALOGUE = "META-INF/kvant/frames.properties";

    private static final String ROOTS = "ROOTS";

    /// Smallest difference in shares worth mentioning.
    private static final double LEAST = 0.01;

    private static final double SIGMAS = 3;

    /// Frames at the base of all stacks, which carry no information.
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

    /// With only these names.
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

    /// A pattern for frames of the form `a/package/Simple.method`; nested classes count as their outer class.
    private static String pattern(String name) {
        if (name.endsWith("/*")) {
            return "^" + Pattern.quote(name.substring(0, name.length() - 1));
        }
        int hash = name.indexOf('#');
        String type = "(?:^|/)" + Pattern.quote(hash < 0 ? name : name.substring(0, hash)) + "(?:\\$[\\w$]+)?\\.";
        return hash < 0 ? type : type + Pattern.quote(name.substring(hash + 1)) + "(?!\\w)";
    }

    /// A difference worth mentioning.
    ///
    /// @param concept null for a frame without a known subject
    record Standout(DifferenceRecord.Frame frame, @Nullable Concept concept) {}

    /// The largest significant difference.
    ///
    /// @param samples of the smaller profile, 0 if unknown
    Optional<Standout> foremost(Profile.Difference difference, long samples) {
        List<DifferenceRecord.Frame> worthy = difference.frames().stream()
                .filter(frame -> !ProfileRecord.isThread(frame.frame()))
                .filter(frame -> !COMMON_ROOTS.matcher(frame.frame()).matches())
                .filter(frame -> !ownRoots.matcher(frame.frame()).find())
                .filter(frame -> Math.abs(frame.delta()) >= LEAST && !isChance(frame, samples))
                .sorted(Comparator.comparingDouble((DifferenceRecord.Frame frame) -> -Math.abs(frame.delta())))
                .toList();
        return known(worthy, concept -> concept != Concept.COMPILER)
                .or(() -> known(worthy, _ -> true))
                .or(() -> worthy.stream()
                        .filter(frame ->
                                difference
                                        .frames()
                                        .stream() // a frame in all stacks of a thread shows only that the thread ran
                                        .noneMatch(one -> ProfileRecord.isThread(one.frame())
                                                && one.a() == frame.a()
                                                && one.b() == frame.b()))
                        .findFirst()
                        .map(frame -> new Standout(frame, null)));
    }

    /// The first frame with a known subject. Compiler frames come second: they mainly show how warm the JVM was.
    private Optional<Standout> known(List<DifferenceRecord.Frame> worthy, Predicate<Concept> wanted) {
        for (DifferenceRecord.Frame frame : worthy) {
            Optional<Concept> concept = about(frame.frame()).filter(wanted);
            if (concept.isPresent()) {
                return Optional.of(new Standout(frame, concept.get()));
            }
        }
        return Optional.empty();
    }

    /// The subject of a frame.
    Optional<Concept> about(String frame) {
        return concepts.entrySet().stream()
                .filter(one -> one.getValue().matcher(frame).find())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /// True if a difference may be due to sampling, with few samples.
    private static boolean isChance(DifferenceRecord.Frame frame, long samples) {
        if (samples <= 0) {
            return false;
        }
        double joint = (frame.a() + frame.b()) / 2;
        return Math.abs(frame.delta()) <= SIGMAS * Math.sqrt(joint * (1 - joint) * 2 / samples);
    }

    /// Subjects of frames in a profile. Frames of the JDK, the JVM, the kernel and libraries are listed here;
    /// those of a server are in a catalogue next to its code, see [Frames].
    public enum Concept {
        EXECUTOR_QUEUE("BlockingQueue|BlockingDeque|ThreadPoolExecutor.getTask|Mpmc\\w*Queue"),
        PARKING("LockSupport|Unsafe.(?:un)?park|Parker::|futex|pthread_cond_"),
        LOCKS("AbstractQueuedSynchronizer|ReentrantLock|ObjectMonitor|ObjectSynchronizer|pthread_mutex_"),
        VIRTUAL_THREADS("VirtualThread|jdk/internal/vm/Continuation|ForkJoinPool"),
        COLLECTOR("G1\\w+::|GCTaskThread|GangWorker|WorkerThread::|ParallelScavenge|ZCollect"),
        COMPILER("C2Compiler|CompileBroker|Compile::Compile|PhaseIdealLoop"),
        FLUSH(""),
        COMPACTION(""),
        COMMIT(""),
        ENGINE_READ(""),
        NETWORK_WRITE("__send|tcp_sendmsg|writev|sys_write"),
        NETWORK_READ("__recv|tcp_recvmsg|sys_read"),
        NETWORK_WAIT("epoll_|ep_poll|hrtimeout");

        private final String frames;

        Concept(String frames) {
            this.frames = frames;
        }

        /// A pattern for its frames, including those of a catalogue.
        Pattern frames(String catalogued) {
            String both = frames.isEmpty() || catalogued.isEmpty() ? frames + catalogued : frames + "|" + catalogued;
            return Pattern.compile(both.isEmpty() ? "(?!)" : both);
        }
    }
}
