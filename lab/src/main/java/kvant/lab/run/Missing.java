package kvant.lab.run;

/// Something that a run should have given, and why it did not.
public record Missing(String what, String why) {}
