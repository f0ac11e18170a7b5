package kvant.prove;

import java.util.function.Supplier;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;

/// One promise under one kind of fault.
///
/// @param name for `--only`: lower case, hyphens
/// @param row of the table of promises (`rows.yaml`)
/// @param promise in one sentence, without a period
/// @param obstacle the reason that this machine cannot run it, such as "no right to mount"; empty where it can
record Trial(String name, int row, String promise, Supplier<String> obstacle, Run run) {

    /// What a run does follows from the [Stage], as far as processes and their moments allow.
    interface Run {

        /// Runs trips until [Stage#next] returns false.
        ///
        /// @return counts of the trips; 0 lost, because a loss is a violation
        /// @throws kvant.prove.stage.Violation where the promise does not hold: the message is one line
        /// @throws Exception where the trial itself fails, which proves nothing
        Figures on(Stage stage) throws Exception;
    }
}
