package kvant.cli;

import java.util.concurrent.Callable;
import kvant.cli.serve.Build;
import kvant.text.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `kvant version`: the version of Kvant and of what it runs on, on one line.
@Command(name = "version", description = "Show the version.")
final class VersionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine().getOut().println(line());
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
