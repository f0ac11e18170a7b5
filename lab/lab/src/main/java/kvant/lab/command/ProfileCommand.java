package kvant.lab.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import kvant.lab.profile.ListeningProcess;
import kvant.lab.profile.ProfilePlan;
import kvant.lab.profile.ProfilePlan.ProfileEvent;
import kvant.lab.profile.Profiler;
import kvant.lab.profile.Profiler.Recording;
import kvant.lab.result.ProfileRecord;
import kvant.lab.result.ProfileRecord.Event;
import kvant.lab.result.ProfileRecord.Frame;
import kvant.load.http.Target;
import kvant.report.sentence.Remarks;
import kvant.text.ExitCode;
import kvant.text.Signals;
import kvant.text.Units;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant profile`: profiles the time and memory of a running JVM on this machine.
@Command(
        name = "profile",
        description = "Profile a running node, or any JVM of this machine: flame graphs of CPU time, allocation,"
                + " waiting for locks, and time on the clock.",
        sortOptions = false,
        subcommands = ProfileCommand.DiffCommand.class,
        footer = {
            "",
            "  kvant profile --url http://127.0.0.1:8080 -d 30s -o before",
            "  kvant profile --pid 4711 -e cpu,alloc -t -o profile",
            "  kvant profile diff before after -o changed",
            "",
            "DIR gets a flame graph as HTML and as collapsed stacks for each event, the",
            "recording (profile.jfr) and profile.json. docs/profiles.md says how to read",
            "them. Ctrl-C ends a profile early. Exit codes: 0 profiled, 1 not profiled (the",
            "reason is on stderr), 2 wrong command line."
        })
public final class ProfileCommand extends LabAction {

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(24);

    /// Time after which the profiler stops by itself if the command was killed.
    private static final Duration GRACE = Duration.ofMinutes(1);

    private static final int FRAMES_SHOWN = 3;
    private static final double LEAST_SHOWN = 0.001;

    @Option(names = "--pid", paramLabel = "P", description = "Process id.")
    private @Nullable String pid;

    @Option(names = "--url", paramLabel = "URL", description = "URL that the process listens on.")
    private @Nullable String url;

    @Option(
            names = {"-e", "--events"},
            paramLabel = "E,...",
            description = "Events: cpu, alloc, lock, wall (default: all).")
    private String events = "cpu,alloc,lock,wall";

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "T",
            description = "Length of the recording (default: 30s).")
    private String duration = "30s";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "Output directory (default: kvant-profile-PID).")
    private @Nullable Path folder;

    @Option(
            names = {"-t", "--threads"},
            description = "Separate threads.")
    private boolean threads;

    @Option(
            names = "--slow",
            paramLabel = "T",
            description = "A flame graph of requests that took at least this long (nodes of Kvant).")
    private @Nullable String slow;

    @Override
    public Integer call() throws InterruptedException {
        Duration length = length();
        ProfilePlan plan = plan().withLongest(length.plus(GRACE));
        long process = process();
        Path out = folder == null ? Path.of("kvant-profile-" + process) : folder;
        CountDownLatch end = new CountDownLatch(1);
        Signals.onEach(List.of("INT", "TERM", "HUP"), _ -> {
            if (end.getCount() == 0) {
                Runtime.getRuntime().halt(ExitCode.FAILED); // interrupted twice
            }
            end.countDown();
        });
        Recording recording = Profiler.attach(process).start(plan, out);
        err().println("kvant: profiling process " + process + " for " + duration);
        long endNanos = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0 && recording.isTargetAlive(); left = endNanos - System.nanoTime()) {
            if (end.await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(200)), TimeUnit.NANOSECONDS)) {
                break;
            }
        }
        show(recording.stop(), out);
        return ExitCode.DONE;
    }

    private ProfilePlan plan() {
        ProfilePlan plan =
                ProfilePlan.of(parsed("--events", events, ProfileEvent::list)).withThreads(threads);
        return slow == null ? plan : plan.withSlowThreshold(parsed("--slow", slow, Units::duration));
    }

    private Duration length() {
        Duration length = parsed("--duration", duration, Units::duration);
        if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
            throw wrong("a profile takes from 100ms to 24h, not " + duration);
        }
        return length;
    }

    private long process() {
        if ((pid == null) == (url == null)) {
            throw wrong("one process is needed: '--pid P' or '--url URL'");
        }
        return pid == null
                ? ListeningProcess.at(parsed("--url", String.valueOf(url), Target::parse))
                : parsed("--pid", pid, ProfileCommand::number);
    }

    private static long number(String text) {
        if (!text.matches("0*[1-9]\\d{0,17}")) {
            throw new IllegalArgumentException("'" + text + "' is not the number of a process");
        }
        return Long.parseLong(text);
    }

    private void show(ProfileRecord result, Path out) {
        PrintWriter stdout = out();
        for (Event event : result.events()) {
            stdout.printf(
                    Locale.ROOT,
                    "%-5s  %8d samples of %-16s  %s%n",
                    event.event(),
                    event.samples(),
                    event.engine(),
                    out.resolve(event.html()));
            showTop(stdout, event.top());
        }
        if (result.slow() != null) {
            stdout.printf(
                    Locale.ROOT,
                    "%-5s  %8d samples of %d requests  %s%n",
                    "slow",
                    result.slow().samples(),
                    result.slow().requests(),
                    out.resolve("slow.html"));
            showTop(stdout, result.slow().top());
        }
        stdout.flush();
        PrintWriter err = err();
        result.missing()
                .forEach(missing -> err.println("kvant: no " + missing.what() + ": " + Remarks.english(missing.why())));
        result.notes().forEach(note -> err.println("kvant: " + note));
    }

    private static void showTop(PrintWriter stdout, List<Frame> top) {
        String frames = top.stream()
                .filter(frame -> frame.self() >= LEAST_SHOWN)
                .limit(FRAMES_SHOWN)
                .map(frame -> String.format(Locale.ROOT, "       %5.1f %%  %s%n", 100 * frame.self(), frame.frame()))
                .collect(Collectors.joining());
        stdout.print(frames);
    }

    /// `kvant profile diff`: compares two profiles, frame by frame.
    @Command(
            name = "diff",
            description = "Compare two profiles: a flame graph of the difference for each event that both have.",
            sortOptions = false,
            footer = {
                "",
                "DIR gets diff-A-B-EVENT.html and .json, which lists the frames that differ",
                "most. Exit codes: 0 compared, 1 not compared (the reason is on stderr), 2",
                "wrong command line."
            })
    static final class DiffCommand extends LabAction {

        @Parameters(index = "0", paramLabel = "A", description = "Directory of the baseline profile.")
        private Path a = Path.of("");

        @Parameters(index = "1", paramLabel = "B", description = "Directory of the other profile.")
        private Path b = Path.of("");

        @Option(
                names = {"-o", "--output"},
                paramLabel = "DIR",
                description = "Output directory (default: the current one).")
        private Path folder = Path.of("");

        @Override
        public Integer call() {
            PrintWriter out = out();
            int compared = 0;
            for (ProfileEvent event : ProfileEvent.values()) {
                Path left = a.resolve(event.label() + ".collapsed");
                Path right = b.resolve(event.label() + ".collapsed");
                if (holdsStacks(left) && holdsStacks(right)) {
                    String name = "diff-" + name(a) + "-" + name(b) + "-" + event.label();
                    Path html = folder.resolve(name + ".html");
                    Profiler.difference(left, name(a), right, name(b), event, html, folder.resolve(name + ".json"));
                    out.println(html);
                    compared++;
                }
            }
            out.flush();
            if (compared == 0) {
                throw new UserException("no event has samples in both " + a + " and " + b + ": are these profiles?");
            }
            return ExitCode.DONE;
        }

        private static boolean holdsStacks(Path collapsed) {
            return collapsed.toFile().length() > 0; // 0 for a missing file
        }

        private static String name(Path profile) {
            return String.valueOf(profile.toAbsolutePath().normalize().getFileName());
        }
    }
}
