# Divides the samples of cpu.collapsed (kvant profile -t) among the parts of a request.
#
#   awk -v us=MICROSECONDS_PER_REQUEST -f lab/bench/cost/parts.awk cpu.collapsed
#
# A sample belongs to the first part whose frame is anywhere on its stack, so that what is called by a part is in it.

function has(frame) { return index(stack, frame) > 0 }

function ofLoop() {
    if (has("tcp_sendmsg") || has("io_send_") || has("Socket.send")) return "loop: send"
    if (has("io_cqring_wait") || has("epollWait")) return "loop: wait for events"
    if (has("io_poll_task_func") || has("io_recv_") || has("recvAddress")) return "loop: receive"
    if (has("ioUringEnter")) return "loop: rest of io_uring"
    if (has("LockSupport.unpark")) return "loop: wake the commit thread"
    if (has("kvant/lsm") || has("kvant/engine")) return "loop: engine"
    if (has("http/answer/") || has("RespWriter")) return "loop: answer"
    if (has("server/service/RequestHandler") || has("server/execute")) return "loop: request"
    if (has("/parse/")) return "loop: parse"
    if (has("kvant/server")) return "loop: rest of Kvant"
    if (has("io/netty")) return "loop: rest of Netty"
    return "loop: other"
}

function ofCommit() {
    if (has("fdatasync") || has("FileChannelImpl.force")) return "commit: sync the log"
    if (has("ArenaMemtable") || has("CommitLog.apply")) return "commit: memtable"
    if (has("kvant/lsm/wal")) return "commit: encode, append"
    if (has("CompletionQueue")) return "commit: wake the loops"
    if (has("CommitQueue.sleep")) return "commit: sleep and wake"
    return "commit: other"
}

function part() {
    thread = substr(stack, 1, index(stack ";", ";"))
    if (thread ~ /kvant-loop/) return ofLoop()
    if (thread ~ /lsm-commit/) return ofCommit()
    if (thread ~ /kvant-lsm/) return "flush, merges, change of logs"
    if (thread ~ /Compiler/) return "JIT compilers"
    return "other threads"
}

{
    weight = $NF
    stack = substr($0, 1, length($0) - length(weight) - 1)
    samples[part()] += weight
    all += weight
}

END {
    for (name in samples) {
        printf "%08d|%s|%.2f|%.1f\n", samples[name], name, us * samples[name] / all, 100 * samples[name] / all
    }
}
