package kvant.lab.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.lab.result.ProfileRecord.Slow;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The flame graph of slow requests alone.
final class SlowFlames {

    static final String NAME = "slow";

    private SlowFlames() {}

    /// @return null if no sample falls into a window
    static @Nullable Slow write(Path jfr, SlowWindows windows, Path folder) {
        Slow first = write(jfr, windows.byThread() ? ProfileEvent.WALL : ProfileEvent.CPU, windows, folder);
        return first != null
                ? first
                : write(jfr, windows.byThread() ? ProfileEvent.CPU : ProfileEvent.WALL, windows, folder);
    }

    private static @Nullable Slow write(Path jfr, ProfileEvent event, SlowWindows windows, Path folder) {
        Path collapsed = folder.resolve(NAME + ".collapsed");
        try {
            Samples samples = SampleConverter.convert(jfr, event, false, windows, collapsed);
            if (samples.count() == 0) {
                Files.delete(collapsed);
                return null;
            }
            String what = event == ProfileEvent.CPU ? "CPU time" : "Time on the clock";
            String whose = windows.byThread() ? "of the threads that worked on" : "of the process during";
            FlameGraphs.write(
                    collapsed,
                    what + " " + whose + " " + windows.requests() + " slow requests",
                    folder.resolve(NAME + ".html"));
            return new Slow(
                    event.label(),
                    windows.requests(),
                    windows.byThread(),
                    samples.count(),
                    NAME + ".html",
                    NAME + ".collapsed",
                    FrameShares.read(collapsed).top(ProfileFiles.MOST_FRAMES));
        } catch (IOException e) {
            throw new UserException("cannot write " + collapsed + ": " + ProfileFiles.reason(e), e);
        }
    }
}
