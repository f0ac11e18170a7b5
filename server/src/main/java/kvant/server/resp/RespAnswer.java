package kvant.server.resp;

import kvant.server.http.answer.Answer;

/// What a [RespWriter] writes.
public interface RespAnswer extends Answer {

    Reply reply();

    /// Whether its client had asked for RESP3 when it sent the command.
    boolean isResp3();
}
