package kvant.cli.store;

import java.net.URI;
import java.time.Instant;
import kvant.archive.ArchiveIndex;
import kvant.archive.ArchiveRestore;
import kvant.cli.engine.TargetPlace;
import kvant.text.ExitCode;
import kvant.text.Json;
import kvant.text.TextTable;
import kvant.text.Units;
import kvant.text.command.CliCommand;
import kvant.text.command.CommandGroup;
import kvant.text.command.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant archive`: what the archive of a node can restore.
@Command(
        name = "archive",
        description = "List the restorable versions of an archive, and verify it.",
        subcommands = {ArchiveCommand.ListAll.class, ArchiveCommand.Verify.class},
        sortOptions = false,
        footer = {"", "Made by 'kvant serve --archive', restored by 'kvant restore --from'."})
public final class ArchiveCommand extends CommandGroup {

    /// A command that reads an archive.
    abstract static class Reading extends CliCommand {

        @Option(
                names = "--from",
                paramLabel = "TARGET",
                required = true,
                description = "Place of the archive: a directory, or s3://BUCKET/PREFIX.")
        private String target = "";

        @Option(names = "--endpoint", paramLabel = "URL", description = TargetPlace.ENDPOINT)
        private @Nullable URI endpoint;

        final TargetPlace place() {
            if (target.isEmpty()) {
                throw wrong("'--from' needs a value");
            }
            return new TargetPlace(target, endpoint, false);
        }
    }

    /// `kvant archive list`.
    @Command(
            name = "list",
            description = "List bases, and the spans in which every version can be restored.",
            sortOptions = false,
            footer = {
                "",
                "Between two spans is a gap: its writes can be restored only all together, by the",
                "base after it. Times are UTC.",
                "Exit codes: 0 done, 1 the newest version cannot be restored, or not done (the",
                "reason is on stderr), 2 wrong command line."
            })
    static final class ListAll extends Reading {

        @Option(names = "--format", paramLabel = "F", description = "text (the default) or json.")
        private Output format = Output.TEXT;

        @Override
        public Integer call() {
            ArchiveIndex index = place().use("archive", store -> ArchiveIndex.read(store, 0));
            if (format == Output.JSON) {
                out().print(new Json()
                        .open()
                        .put("newest", index.newest())
                        .put("by", index.by())
                        .put("bases", index.usableBases())
                        .put("spans", index.spans())
                        .close());
                out().flush();
            } else {
                table(index);
            }
            if (!index.isWhole()) {
                err().println("kvant: the newest version " + index.newest() + " cannot be restored");
                return ExitCode.FAILED;
            }
            return ExitCode.DONE;
        }

        private void table(ArchiveIndex index) {
            TextTable bases = new TextTable("base", ">epoch", ">version", "made", ">size");
            for (ArchiveIndex.Base base : index.usableBases()) {
                String size = Units.bytes(base.bytes());
                bases.add(base.id(), "" + base.epoch(), "" + base.version(), time(base.millis()), size);
            }
            bases.lines().forEach(out()::println);
            TextTable spans = new TextTable(">from version", ">to version", "from", "to", ">objects", ">size");
            for (ArchiveIndex.Span span : index.spans()) {
                String begin = time(span.fromMillis());
                String objects = Units.count(span.objects());
                String size = Units.bytes(span.bytes());
                spans.add("" + span.from(), "" + span.to(), begin, time(span.toMillis()), objects, size);
            }
            spans.lines().forEach(out()::println);
            if (!index.by().isEmpty()) {
                out().println("written by " + index.by());
            }
        }

        private static String time(long millis) {
            return Instant.ofEpochMilli(millis).toString();
        }
    }

    /// `kvant archive verify`.
    @Command(
            name = "verify",
            description = "Verify the checksums of an archive.",
            sortOptions = false,
            footer = {
                "",
                "Read-only. One line for each damaged or missing object.",
                "Exit codes: 0 sound, 1 damaged or not checked (the reason is on stderr), 2",
                "wrong command line."
            })
    static final class Verify extends Reading {

        @Override
        public Integer call() {
            TargetPlace place = place();
            int problems = place.use("archive", _ -> ArchiveRestore.verify(place, out()::println));
            out().println(problems == 0 ? "sound" : CheckReport.damaged(problems));
            return problems == 0 ? ExitCode.DONE : ExitCode.FAILED;
        }
    }
}
