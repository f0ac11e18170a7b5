package kvant.server.service;

/// Whether requests carry the times of their stages. On, unless `-Dkvant.stage-clock=off`: a constant, so that
/// its cost can be measured against nothing at all.
public final class StageClock {

    public static final boolean RUNS = !"off".equals(System.getProperty("kvant.stage-clock"));

    private StageClock() {}
}
