package kvant.text.command;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/// Where options come from that are not on the command line.
public interface ArgumentSource {

    /// Nowhere.
    ArgumentSource NONE = new ArgumentSource() {
        @Override
        public String[] complete(CommandLine root, String[] arguments) {
            return arguments;
        }

        @Override
        public String originOf(ParameterException wrong) {
            return "";
        }
    };

    /// The command line with what it leaves out.
    ///
    /// @throws ParameterException saying in one line what is wrong with that
    String[] complete(CommandLine root, String[] arguments);

    /// Where a value comes from that the command refuses, to end its line with; empty where it is on the command line.
    String originOf(ParameterException wrong);
}
