package kvant.lab.result;

/// A missing result of a run, and the reason.
public record Missing(Remark what, Remark why) {

    /// True if a resumed run will try again and must not keep this entry.
    public boolean isTriedAgain() {
        return what instanceof Remark.VariantOf || what instanceof Remark.TheReport;
    }
}
