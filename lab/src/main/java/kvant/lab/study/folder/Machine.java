package kvant.lab.study.folder;

/// Where it was run, and with what. What is not known is empty or 0.
public record Machine(
        int cores,
        String cpu,
        long memoryBytes,
        String kernel,
        String os,
        String jvm,
        String version,
        String commit,
        boolean changed) {

    static Machine of(Document machine, Document kvant) {
        return new Machine(
                (int) machine.at("cores").whole(),
                machine.at("cpu").text(),
                machine.at("memoryBytes").whole(),
                machine.at("kernel").text(),
                machine.at("os").text(),
                machine.at("jvm").text(),
                kvant.at("version").text(),
                kvant.at("commit").text(),
                kvant.at("changed").flag());
    }
}
