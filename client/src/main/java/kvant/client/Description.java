package kvant.client;

/// What is known of a value without reading it.
public record Description(long length, Version version) {}
