package kvant.server.service;

/// The switch for the stage times of requests. On, unless `-Dkvant.stage-clock=off`: a constant, so that its cost can
/// be measured against none at all.
public final class StageClock {

    public static final boolean RUNS = !"off".equals(System.getProperty("kvant.stage-clock"));

    private StageClock() {}
}
