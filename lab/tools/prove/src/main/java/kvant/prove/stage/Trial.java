package kvant.prove.stage;

/// One promise under one kind of fault.
///
/// A trial has no state of its own between runs: what it does follows from the [Stage], as far as processes and their
/// moments allow.
public interface Trial {

    /// The name for `--only`: lower case, hyphens.
    String name();

    /// Of the table of promises (`rows.yaml`).
    int row();

    /// In one sentence, without a period.
    String promise();

    /// The reason that this machine cannot run it, such as "no right to mount"; empty where it can.
    default String obstacle() {
        return "";
    }

    /// Runs trips until [Stage#next] returns false.
    ///
    /// @return counts of the trips; 0 lost, because a loss is a [Violation]
    /// @throws Violation where the promise does not hold: the message is one line
    /// @throws Exception where the trial itself fails, which proves nothing
    Figures run(Stage stage) throws Exception;
}
