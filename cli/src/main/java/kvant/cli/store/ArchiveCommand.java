package kvant.cli.store;

import java.net.URI;
import java.time.Instant;
import kvant.archive.ArchiveIndex;
import kvant.archive.ArchiveReport;
import kvant.archive.Base;
import kvant.backup.ObjectStore;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant archive`: what the archive of a node holds.
@Command(
        name = "archive",
        description = "List the restorable versions of an archive, and verify it.",
        subcommands = {ArchiveCommand.ListAll.class, ArchiveCommand.Verify.class},
        sortOptions = false,
        footer = {"", "Made by 'kvant serve --archive', restored by 'kvant restore --from'."})
public final class ArchiveCommand extends CommandGroup {

    /// The options that say where it lies.
    static final class Place {

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command = CommandSpec.create();

        @Option(
                names = "--from",
                paramLabel = "TARGET",
                required = true,
                description = "Place of the archive: a directory, or s3://BUCKET/PREFIX.")
        private String target = "";

        @Option(names = "--endpoint", paramLabel = "URL", description = "S3 server (default: Amazon's).")
        private @Nullable URI endpoint;

        TargetPlace place() {
            if (target.isEmpty()) {
                throw new ParameterException(command.commandLine(), "'--from' names no archive");
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
    static final class ListAll extends CliCommand {

        @Mixin
        private Place place = new Place();

        @Option(names = "--format", paramLabel = "F", description = "text (the default) or json.")
        private Output format = Output.TEXT;

        @Override
        public Integer call() {
            ArchiveReport report = place.place().use("archive", target -> {
                try (ObjectStore store = target.open("")) {
                    return ArchiveReport.of(ArchiveIndex.read(store, 0));
                }
            });
            if (format == Output.JSON) {
                json(report);
            } else {
                table(report);
            }
            if (!report.isWhole()) {
                err().println("kvant: the newest version " + report.newest() + " cannot be restored from "
                        + place.target);
            }
            return report.isWhole() ? ExitCode.DONE : ExitCode.FAILED;
        }

        private void table(ArchiveReport report) {
            TextTable bases = new TextTable("base", ">epoch", ">version", "made", ">size");
            for (Base base : report.bases()) {
                bases.add(
                        base.id(),
                        String.valueOf(base.epoch()),
                        String.valueOf(base.version()),
                        Instant.ofEpochMilli(base.millis()).toString(),
                        Units.bytes(base.bytes()));
            }
            bases.lines().forEach(out()::println);
            TextTable spans = new TextTable(">from version", ">to version", "from", "to", ">objects", ">size");
            for (ArchiveReport.Span span : report.spans()) {
                spans.add(
                        String.valueOf(span.from()),
                        String.valueOf(span.to()),
                        Instant.ofEpochMilli(span.fromMillis()).toString(),
                        Instant.ofEpochMilli(span.toMillis()).toString(),
                        Units.count(span.objects()),
                        Units.bytes(span.bytes()));
            }
            spans.lines().forEach(out()::println);
            if (!report.by().isEmpty()) {
                out().println("written by " + report.by());
            }
        }

        private void json(ArchiveReport report) {
            Json json = new Json().open().put("newest", report.newest()).put("by", report.by());
            json.openList("bases");
            for (Base base : report.bases()) {
                json.open()
                        .put("id", base.id())
                        .put("epoch", base.epoch())
                        .put("version", base.version())
                        .put("time", Instant.ofEpochMilli(base.millis()).toString())
                        .put("bytes", base.bytes())
                        .close();
            }
            json.closeList().openList("spans");
            for (ArchiveReport.Span span : report.spans()) {
                json.open()
                        .put("from", span.from())
                        .put("to", span.to())
                        .put("fromTime", Instant.ofEpochMilli(span.fromMillis()).toString())
                        .put("toTime", Instant.ofEpochMilli(span.toMillis()).toString())
                        .put("objects", span.objects())
                        .put("bytes", span.bytes())
                        .close();
            }
            out().print(json.closeList().close());
            out().flush();
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
    static final class Verify extends CliCommand {

        @Mixin
        private Place place = new Place();

        @Override
        public Integer call() {
            int problems = place.place().use("archive", target -> ArchiveReport.verify(target, out()::println));
            out().println(problems == 0 ? "sound" : CheckReport.damaged(problems));
            return problems == 0 ? ExitCode.DONE : ExitCode.FAILED;
        }
    }
}
