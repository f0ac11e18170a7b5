package kvant.lab.profile;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.lab.profile.FrameShares.CollapsedStack;
import kvant.lab.profile.ProfilePlan.ProfileEvent;
import kvant.lab.profile.SampleConverter.Samples;
import kvant.lab.profile.SlowWindows.SlowWindow;
import kvant.lab.result.ProfileRecord;
import kvant.lab.result.ProfileRecord.Missing;
import kvant.lab.result.Remark;
import kvant.load.result.RecordJson;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import one.convert.Arguments;
import one.convert.FlameGraph;
import org.jspecify.annotations.Nullable;

/// The folder of one profile: the recording, and the files derived from it.
record ProfileFiles(Path folder) {

    /// Maximum number of frames in the list of the heaviest.
    static final int MOST_FRAMES = 40;

    private static final int MOST_THREADS = 40;

    /// Base name of the flame graph for slow requests only.
    private static final String SLOW = "slow";

    /// Minimum width of a frame in percent; frames below half a pixel only enlarge the file.
    private static final double NARROWEST = 0.05;

    /// Creates the folder and removes an earlier profile from it, so that old and new files are not mixed.
    ///
    /// @throws UserException if it cannot be written
    static ProfileFiles in(Path folder) {
        ProfileFiles files = new ProfileFiles(folder);
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(files.jfr());
            Files.deleteIfExists(folder.resolve("profile.json"));
            for (String name : names()) {
                Files.deleteIfExists(folder.resolve(name + ".html"));
                Files.deleteIfExists(folder.resolve(name + ".collapsed"));
            }
            Files.createFile(files.jfr()); // the profiler's own error would come from another process
            return files;
        } catch (FileAlreadyExistsException e) {
            throw new UserException("cannot write profiles to " + folder + ": something else has that name", e);
        } catch (IOException e) {
            throw new UserException("cannot write profiles to " + folder + ": " + FileTrouble.reading(e), e);
        }
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(List.of(SLOW));
        for (ProfileEvent event : ProfileEvent.values()) {
            names.add(event.label());
        }
        return names;
    }

    Path jfr() {
        return folder.resolve("profile.jfr");
    }

    /// @param head the part that is known without the recording
    /// @throws UserException if the recording cannot be read, or a file cannot be written
    ProfileRecord make(ProfilePlan plan, ProfileRecord head) {
        List<ProfileRecord.Event> events = new ArrayList<>();
        List<Missing> missing = new ArrayList<>(head.missing());
        String version = "";
        for (ProfileEvent event : plan.orderedEvents()) {
            Samples samples = SampleConverter.convert(jfr(), event, plan.threads(), null, collapsed(event.label()));
            version = samples.version();
            events.add(profile(event, samples, title(event, head)));
        }
        ProfileRecord.Slow slow = slow(plan, missing);
        ProfileRecord result = new ProfileRecord(
                "async-profiler " + version,
                head.pid(),
                head.startedAt(),
                head.durationNanos(),
                events,
                slow,
                missing,
                head.notes());
        RecordJson.write(folder.resolve("profile.json"), result);
        return result;
    }

    private ProfileRecord.Event profile(ProfileEvent event, Samples samples, String title) {
        Path collapsed = collapsed(event.label());
        try {
            flameGraph(collapsed, title, folder.resolve(event.label() + ".html"));
            return new ProfileRecord.Event(
                    event.label(),
                    samples.engine(event),
                    samples.count(),
                    event.unit(),
                    event.label() + ".html",
                    event.label() + ".collapsed",
                    FrameShares.read(collapsed).top(MOST_FRAMES),
                    samples.threadShares(MOST_THREADS));
        } catch (IOException e) {
            throw unwritable(collapsed, e);
        }
    }

    private static String title(ProfileEvent event, ProfileRecord head) {
        String what = switch (event) {
            case CPU -> "CPU time";
            case ALLOC -> "Allocated bytes";
            case LOCK -> "Nanoseconds of waiting for locks";
            case WALL -> "Time on the clock, of all threads";
        };
        double seconds = head.durationNanos() / 1e9;
        return String.format(Locale.ROOT, "%s: process %d, %.1f s", what, head.pid(), seconds);
    }

    private ProfileRecord.@Nullable Slow slow(ProfilePlan plan, List<Missing> missing) {
        Duration threshold = plan.slowThreshold();
        if (threshold == null) {
            return null;
        }
        List<SlowWindow> windows = SlowWindow.ofRecording(jfr(), threshold);
        ProfileRecord.Slow slow = windows.isEmpty() ? null : slow(jfr(), SlowWindows.of(windows), folder);
        if (slow == null) {
            missing.add(new Missing(
                    SLOW,
                    windows.isEmpty()
                            ? new Remark.NoSlowRequests(ProfilePlan.REQUEST_EVENT, threshold.toNanos())
                            : new Remark.NoSamplesOfSlowRequests(windows.size())));
        }
        return slow;
    }

    /// Writes `slow.html` and `slow.collapsed` from the samples taken during slow requests.
    ///
    /// If the windows name the threads that worked for their requests, these are wall-clock samples of those
    /// threads, including waits. Otherwise they are CPU samples of all threads: the concurrent activity of the
    /// process.
    ///
    /// @param windows in the clock of `System.nanoTime`
    /// @return null if no sample falls into a window
    /// @throws UserException if the file is no recording of the profiler, or a file cannot be written
    static ProfileRecord.@Nullable Slow slow(Path jfr, SlowWindows windows, Path folder) {
        ProfileRecord.Slow first =
                slow(jfr, windows.byThread() ? ProfileEvent.WALL : ProfileEvent.CPU, windows, folder);
        return first != null
                ? first
                : slow(jfr, windows.byThread() ? ProfileEvent.CPU : ProfileEvent.WALL, windows, folder);
    }

    private static ProfileRecord.@Nullable Slow slow(Path jfr, ProfileEvent event, SlowWindows windows, Path folder) {
        Path collapsed = folder.resolve(SLOW + ".collapsed");
        try {
            Samples samples = SampleConverter.convert(jfr, event, false, windows, collapsed);
            if (samples.count() == 0) {
                Files.delete(collapsed);
                return null;
            }
            String what = event == ProfileEvent.CPU ? "CPU time" : "Time on the clock";
            String whose = windows.byThread() ? "of the threads that worked on" : "of the process during";
            flameGraph(
                    collapsed,
                    what + " " + whose + " " + windows.requests() + " slow requests",
                    folder.resolve(SLOW + ".html"));
            return new ProfileRecord.Slow(
                    event.label(),
                    windows.requests(),
                    windows.byThread(),
                    samples.count(),
                    SLOW + ".html",
                    SLOW + ".collapsed",
                    FrameShares.read(collapsed).top(MOST_FRAMES));
        } catch (IOException e) {
            throw unwritable(collapsed, e);
        }
    }

    private Path collapsed(String name) {
        return folder.resolve(name + ".collapsed");
    }

    private static UserException unwritable(Path file, IOException why) {
        return new UserException("cannot write " + file + ": " + FileTrouble.reading(why), why);
    }

    static void flameGraph(Path collapsed, String title, Path html) throws IOException {
        Arguments arguments = arguments(title);
        flameGraph(graph(collapsed, arguments), html);
    }

    /// Draws B's stacks, coloured by their change in weight from A. The smaller profile is scaled to the
    /// weight of the larger, because two runs never last equally long.
    static void flameDifference(
            Path a, long totalA, String nameA, Path b, long totalB, String nameB, ProfileEvent event, Path html)
            throws IOException {
        long common = Math.max(totalA, totalB);
        if (totalA == 0 || totalB == 0) {
            throw new UserException(
                    "cannot compare " + a + " with " + b + ": " + (totalA == 0 ? a : b) + " holds no samples");
        }
        Arguments arguments =
                arguments(event.label() + ": from " + nameA + " to " + nameB + " (red: more, blue: less)");
        FlameGraph before = scaled(a, common / (double) totalA, arguments, html);
        FlameGraph after = scaled(b, common / (double) totalB, arguments, html);
        after.diff(before);
        flameGraph(after, html);
    }

    private static FlameGraph scaled(Path collapsed, double factor, Arguments arguments, Path html) throws IOException {
        Path scaled = Path.of(html + ".scaled");
        try {
            try (BufferedWriter out = Files.newBufferedWriter(scaled)) {
                CollapsedStack.readAll(collapsed, stack -> out.write(stack.line(factor) + '\n'));
            }
            return graph(scaled, arguments);
        } finally {
            Files.deleteIfExists(scaled);
        }
    }

    private static FlameGraph graph(Path collapsed, Arguments arguments) throws IOException {
        FlameGraph graph = new FlameGraph(arguments);
        try (Reader in = Files.newBufferedReader(collapsed)) {
            graph.parseCollapsed(in);
        }
        return graph;
    }

    private static void flameGraph(FlameGraph graph, Path html) throws IOException {
        try (OutputStream out = Files.newOutputStream(html)) {
            graph.dump(out);
        }
    }

    private static Arguments arguments(String title) {
        Arguments arguments = new Arguments();
        arguments.minwidth = NARROWEST;
        arguments.title = title.replace("&", "&amp;").replace("<", "&lt;");
        return arguments;
    }
}
