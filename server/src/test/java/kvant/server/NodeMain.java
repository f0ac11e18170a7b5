package kvant.server;

/// Serves the engine in memory, for trying the HTTP side out by hand.
final class NodeMain {
    private NodeMain() {}

    public static void main(String[] args) throws Exception {
        MemoryEngine engine = new MemoryEngine();
        engine.record(false);
        NodeOptions options = NodeOptions.defaults()
                .with(o -> o.port = Integer.parseInt(args[0]))
                .withExecutor(ExecutorKind.valueOf(args[1]))
                .with(o -> o.eventLoops = Integer.parseInt(args[2]));
        Node node = Node.start(options, engine);
        System.out.println("listening on " + node.url());
        Runtime.getRuntime().addShutdownHook(new Thread(node::close));
    }
}
