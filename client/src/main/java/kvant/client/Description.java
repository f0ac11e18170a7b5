package kvant.client;

/// Length and version of a value, available without reading it.
public record Description(long length, Version version) {}
