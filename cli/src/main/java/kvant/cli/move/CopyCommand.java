package kvant.cli.move;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import kvant.cli.engine.CassandraFlags;
import kvant.cli.engine.EngineKind;
import kvant.move.copy.Copy;
import kvant.move.copy.CopyOptions;
import kvant.move.copy.CopyState;
import kvant.move.copy.Endpoint;
import kvant.move.copy.Progress;
import kvant.move.copy.RangeCheck;
import kvant.move.copy.RetryPolicy;
import kvant.move.copy.StateFile;
import kvant.move.copy.Verification;
import kvant.text.ExitCode;
import kvant.text.ProgressLine;
import kvant.text.Signals;
import kvant.text.Terminal;
import kvant.text.Units;
import kvant.text.UserException;
import kvant.text.command.Authorities;
import kvant.text.command.CliCommand;
import kvant.text.command.OptionGroups;
import kvant.text.command.PresentedToken;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `kvant copy`: copies one store into another, and compares the two.
@Command(
        name = "copy",
        description = "Copy all records of a store into another one, and compare the two.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "An end is a directory that no node serves, the URL of a serving node, or",
            "'cassandra' with the options of 'kvant serve'.",
            "",
            "  kvant copy --from data --to cassandra --cassandra.contact-points 10.0.0.1:9042",
            "  kvant copy --from http://127.0.0.1:8080 --to backup --rate 20MiB",
            "",
            "Ctrl-C stops cleanly, and --resume continues; see docs/moving.md.",
            "Exit codes: 0 copied and equal, 1 stopped, failed or different (the reason is",
            "printed), 2 wrong command line."
        })
public final class CopyCommand extends CliCommand implements Progress {

    private static final String USUAL_STATE = "kvant-copy.state";
    private static final long DRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PRINT_NANOS = TimeUnit.MINUTES.toNanos(1);

    @Option(names = "--from", paramLabel = "END", required = true, description = "The source; not changed.")
    private String from = "";

    @Option(
            names = "--to",
            paramLabel = "END",
            required = true,
            description = "The target: empty, except with --resume or --overwrite; a missing directory is created.")
    private String to = "";

    @Option(
            names = "--engine",
            paramLabel = "E",
            description = "Engine of a created directory: lsm or rocksdb (default: lsm).")
    private @Nullable EngineKind engine;

    @Option(
            names = "--rate",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Bytes per second read from the source (default: no limit).")
    private @Nullable Long rate;

    @Option(names = "--resume", description = "Continue a stopped copy.")
    private boolean resume;

    @Option(names = "--overwrite", description = "Overwrite keys in the target; keys that the source lacks stay.")
    private boolean overwrite;

    @Option(names = "--no-verify", description = "Do not compare source and target afterwards.")
    private boolean noVerify;

    @Option(names = "--verify-only", description = "Copy nothing, compare only.")
    private boolean verifyOnly;

    @Option(
            names = "--state",
            paramLabel = "FILE",
            description = "File with the progress of the copy (default: next to the target directory, else"
                    + " ./kvant-copy.state).")
    private @Nullable Path state;

    @Option(
            names = "--from-token-file",
            converter = PresentedToken.Converter.class,
            paramLabel = "FILE",
            description = "Token for the node at '--from', with the scope read.")
    private @Nullable PresentedToken fromToken;

    @Option(
            names = "--to-token-file",
            converter = PresentedToken.Converter.class,
            paramLabel = "FILE",
            description = "Token for the node at '--to', with the scopes read and write.")
    private @Nullable PresentedToken toToken;

    @Option(
            names = "--cacert",
            converter = Authorities.class,
            paramLabel = "FILE",
            description = "Trust nodes whose certificates come from one of these (PEM).")
    private @Nullable SSLContext trusted;

    @Mixin
    private CassandraFlags cassandra = new CassandraFlags();

    private final AtomicBoolean stop = new AtomicBoolean();
    private final RetryPolicy retries = new RetryPolicy(stop::get);
    private ProgressLine line = new ProgressLine(new PrintWriter(Writer.nullWriter()), false);
    private long shownNanos;
    private long shownBytes;

    @Override
    public Integer call() {
        CopyEnd source = end(from, "--from", fromToken);
        CopyEnd target = end(to, "--to", toToken);
        refuseNonsense(source, target);
        Signals.onEach(List.of("INT", "TERM", "HUP"), _ -> {
            if (stop.getAndSet(true)) {
                Runtime.getRuntime().halt(ExitCode.FAILED); // interrupted twice
            }
        });
        shownNanos = System.nanoTime();
        try (ProgressLine shown = new ProgressLine(err(), Terminal.isInteractive())) {
            line = shown;
            return run(source, target);
        }
    }

    private int run(CopyEnd source, CopyEnd target) {
        StateFile file = new StateFile(statePath(target));
        CopyState begin = verifyOnly ? null : begin(file, source.name(), target.name());
        try (Endpoint opened = source.open();
                Endpoint filled = verifyOnly || resume ? target.open() : target.openOrMake(engine)) {
            if (begin == null) {
                return verify(opened, filled, overwrite);
            }
            if (filled.isRemote()) {
                line.note("a node takes life times in whole seconds: values that have one live up to a second longer"
                        + " in the target");
            }
            if (!copy(opened, filled, begin, file)) {
                return ExitCode.FAILED;
            }
            int outcome = noVerify ? ExitCode.DONE : verify(opened, filled, begin.overwrites());
            if (outcome == ExitCode.DONE) {
                file.delete();
            }
            return outcome;
        }
    }

    /// The initial state of the copy.
    private CopyState begin(StateFile file, String source, String target) {
        CopyState found = file.read();
        boolean same =
                found != null && found.from().equals(source) && found.to().equals(target);
        if (resume) {
            if (found == null) {
                throw new UserException("there is no state " + file.path()
                        + " to continue: leave --resume out, or name the file with --state");
            }
            if (!same) {
                throw new UserException(file.path() + " is the state of a copy from " + found.from() + " to "
                        + found.to() + ", not from " + source + " to " + target + ": name the right one with --state");
            }
            return found;
        }
        if (found != null && !(same && overwrite)) {
            throw new UserException(file.path() + " is the state of a copy from " + found.from() + " to " + found.to()
                    + " that has not ended: continue it by --resume, or delete the file");
        }
        return CopyState.begin(source, target, overwrite);
    }

    /// @return false when stopped early
    private boolean copy(Endpoint source, Endpoint target, CopyState begin, StateFile file) {
        if (!resume && !overwrite && !Copy.isEmpty(target, retries)) {
            throw new UserException(
                    target.name() + " is not empty: choose another, or overwrite it with" + " --overwrite");
        }
        if (begin.finished()) {
            return true;
        }
        long startNanos = System.nanoTime();
        CopyState end = new Copy(source, target, options(), file, this, retries).run(begin);
        line.close();
        if (!end.finished()) {
            line.note("stopped after " + end.records() + " records; the same command with --resume continues ("
                    + file.path() + " has the state)");
            return false;
        }
        print(String.format(
                Locale.ROOT,
                "copied %d records, %s, in %.1f s from %s to %s",
                end.records(),
                Units.bytes(end.bytes()),
                (System.nanoTime() - startNanos) / 1e9,
                source.name(),
                target.name()));
        return true;
    }

    private int verify(Endpoint source, Endpoint target, boolean mayHoldMore) {
        Verification.Result result =
                new Verification(source, target, options(), this, retries, Verification.RANGE_RECORDS).run();
        line.close();
        if (!result.complete()) {
            line.note("stopped after " + result.records() + " records were compared; --verify-only compares again");
            return ExitCode.FAILED;
        }
        result.shown().forEach(difference -> print(difference.toString()));
        boolean same = result.isSame(mayHoldMore);
        String counted = result.extra() == 0 && same
                ? ""
                : ": " + result.missing() + " missing, " + result.extra() + " extra, " + result.different()
                        + " different";
        print(String.format(
                Locale.ROOT,
                "compared %d records in %d key ranges: %s%s (checksum %08x)",
                result.records(),
                result.ranges(),
                same ? "the same" : result.differing() + " differ",
                counted,
                result.checksum()));
        if (!same) {
            line.note("source and target are not the same; while one of them is written to, differences are expected");
        }
        return same ? ExitCode.DONE : ExitCode.FAILED;
    }

    private CopyOptions options() {
        return CopyOptions.DEFAULT.withRate(rate == null ? 0 : rate);
    }

    private Path statePath(CopyEnd target) {
        if (state != null) {
            return state;
        }
        return target instanceof CopyEnd.Directory(Path path)
                ? Path.of(path.toAbsolutePath().normalize() + ".copy-state")
                : Path.of(USUAL_STATE);
    }

    /// @param token for this end: no token is sent to the other node
    private CopyEnd end(String text, String option, @Nullable PresentedToken token) {
        try {
            return CopyEnd.parse(text, cassandra, client -> {
                client.token = token == null ? null : token::word;
                client.tls = trusted;
            });
        } catch (IllegalArgumentException e) {
            throw wrong("'" + option + "': " + e.getMessage());
        }
    }

    private void refuseNonsense(CopyEnd source, CopyEnd target) {
        boolean cluster = source instanceof CopyEnd.Cluster || target instanceof CopyEnd.Cluster;
        if (source.name().equals(target.name())) {
            throw wrong("'--from' and '--to' are the same");
        }
        if (!OptionGroups.given(spec(), "--cassandra.").isEmpty() && !cluster) {
            throw wrong("the options '--cassandra...' need '--from cassandra' or '--to cassandra'");
        }
        if (engine == EngineKind.CASSANDRA) {
            throw wrong("a copy into a cluster is '--to cassandra'");
        }
        if (engine != null && !(target instanceof CopyEnd.Directory)) {
            throw wrong("'--engine' needs a directory for '--to'");
        }
        if (verifyOnly && (noVerify || resume || engine != null)) {
            throw wrong("'--verify-only' goes with neither '--no-verify', '--resume' nor '--engine'");
        }
        if (resume && overwrite) {
            throw wrong("'--resume' continues the copy with its options: leave '--overwrite' out");
        }
        if (rate != null && rate == 0) {
            throw wrong("'--rate' is at least 1 byte a second");
        }
    }

    private void print(String line) {
        out().println(line);
        out().flush();
    }

    // The progress: on a terminal one line that is overwritten, otherwise one line per minute.

    @Override
    public void copied(CopyState copied) {
        byte[] key = copied.key();
        if (key != null) {
            show("copied", copied.records(), copied.bytes(), key);
        }
    }

    @Override
    public void compared(long records, long bytes, byte[] key) {
        show("compared", records, bytes, key);
    }

    private void show(String what, long records, long bytes, byte[] key) {
        long now = System.nanoTime();
        long passed = now - shownNanos;
        if (passed < (line.isTerminal() ? DRAW_NANOS : PRINT_NANOS)) {
            return;
        }
        long bytesPerSecond = (long) (Math.max(0, bytes - shownBytes) * 1e9 / passed);
        shownNanos = now;
        shownBytes = bytes;
        String text = String.format(
                Locale.ROOT,
                "%s %,d records, %s, %s/s, up to %s",
                what,
                records,
                Units.bytes(bytes),
                Units.bytes(bytesPerSecond),
                RangeCheck.text(key));
        if (line.isTerminal()) {
            line.draw(text);
        } else {
            line.note(text);
        }
    }
}
