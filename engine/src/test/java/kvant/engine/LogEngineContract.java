package kvant.engine;

/// Every promise of a [LocalEngine] all of whose writes go through one log.
public abstract class LogEngineContract extends LocalEngineContract implements CompletionOrderContract {}
