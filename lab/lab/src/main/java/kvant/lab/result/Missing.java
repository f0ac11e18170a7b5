package kvant.lab.result;

/// Something that a run should have given, and why it did not.
public record Missing(Remark what, Remark why) {

    /// Whether a run that goes on will try again, and so must not keep this.
    public boolean isTriedAgain() {
        return what instanceof Remark.VariantOf || what instanceof Remark.TheReport;
    }
}
