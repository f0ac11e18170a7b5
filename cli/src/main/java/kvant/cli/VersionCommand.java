package kvant.cli;

import kvant.cli.serve.Build;
import kvant.text.ExitCode;
import kvant.text.command.CliCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/// `kvant version`: the versions of Kvant and of its platform, on one line.
@Command(name = "version", description = "Show the version.")
final class VersionCommand extends CliCommand {

    @Override
    public Integer call() {
        out().println(line());
        return ExitCode.DONE;
    }

    private static String line() {
        Build build = Build.own();
        return "kvant " + build.version() + (build.commit().isEmpty() ? "" : " (" + build.commit() + ")") + ", Java "
                + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch");
    }

    /// The same line for `kvant --version`.
    static final class Provider implements IVersionProvider {

        @Override
        public String[] getVersion() {
            return new String[] {line()};
        }
    }
}
