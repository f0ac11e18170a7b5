package kvant.lab.profile;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.lab.result.ProfileRecord;
import kvant.lab.result.ProfileRecord.Missing;
import kvant.lab.result.Remark;
import kvant.load.result.RecordJson;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The folder of one profile: the recording, and what is made of it.
final class ProfileFiles {

    /// Frames in the list of the heaviest.
    static final int MOST_FRAMES = 40;

    private static final int MOST_THREADS = 40;

    private final Path folder;

    private ProfileFiles(Path folder) {
        this.folder = folder;
    }

    /// Makes the folder, and removes an earlier profile from it, so that no picture of then stands
    /// beside one of now.
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
            Files.createFile(files.jfr()); // the profiler's own complaint would come from another process
            return files;
        } catch (IOException e) {
            throw new UserException("cannot write profiles to " + folder + ": " + reason(e), e);
        }
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(List.of(SlowFlames.NAME));
        for (ProfileEvent event : ProfileEvent.values()) {
            names.add(event.label());
        }
        return names;
    }

    Path folder() {
        return folder;
    }

    Path jfr() {
        return folder.resolve("profile.jfr");
    }

    /// @param head what is known without the recording
    /// @param seen slow requests that somebody else saw, for where the recording has none
    /// @throws UserException if the recording cannot be read, or a file not be written
    ProfileRecord make(ProfilePlan plan, ProfileRecord head, List<SlowWindow> seen) {
        List<ProfileRecord.Event> events = new ArrayList<>();
        List<Missing> missing = new ArrayList<>(head.missing());
        String version = "";
        for (ProfileEvent event : plan.orderedEvents()) {
            Samples samples = SampleConverter.convert(jfr(), event, plan.threads(), null, collapsed(event.label()));
            version = samples.version();
            events.add(profile(event, samples, title(event, head)));
        }
        ProfileRecord.Slow slow = slow(plan, seen, missing);
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
            FlameGraphs.write(collapsed, title, folder.resolve(event.label() + ".html"));
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

    private ProfileRecord.@Nullable Slow slow(ProfilePlan plan, List<SlowWindow> seen, List<Missing> missing) {
        Duration threshold = plan.slowThreshold();
        List<SlowWindow> told = threshold == null ? List.of() : SlowWindow.ofRecording(jfr(), threshold);
        List<SlowWindow> windows = told.isEmpty() ? seen : told;
        ProfileRecord.Slow slow = windows.isEmpty() ? null : Profiler.slow(jfr(), windows, folder);
        if (slow == null && !windows.isEmpty()) {
            missing.add(new Missing(SlowFlames.NAME, new Remark.NoSamplesOfSlowRequests(windows.size())));
        } else if (slow == null && threshold != null) {
            Remark why = new Remark.NoSlowRequests(CommandText.REQUEST_EVENT, threshold.toNanos());
            missing.add(new Missing(SlowFlames.NAME, why));
        }
        return slow;
    }

    private Path collapsed(String name) {
        return folder.resolve(name + ".collapsed");
    }

    private static UserException unwritable(Path file, IOException why) {
        return new UserException("cannot write " + file + ": " + reason(why), why);
    }

    /// In words, without the path that the message of a file's exception begins with.
    static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "no permission";
            case FileAlreadyExistsException _ -> "something else has that name";
            case FileSystemException known when known.getReason() != null -> known.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }
}
