import PlacesKit

/// A response whose result is not decoded, so that the caller can choose the decoder.
struct RawResponse {
  var id: JSONValue
  var outcome: PendingCalls.Outcome

  /// Nil if the text is not a response.
  init?(_ text: Span<UInt8>) {
    let members = MessageMembers(of: text)
    guard let range = members.id, members.result != nil || members.error != nil, let id = RequestID(raw: text.array(in: range)) else {
      return nil
    }
    self.id = id.json
    if let result = members.result {
      outcome = .success(text.array(in: result))
    } else if let range = members.error, let error = try? JSONValue(parsing: text.array(in: range)), let code = error["code"]?.integer,
      let message = error["message"]?.string
    {
      outcome = .failure(.serverError(RPCError(code: code, message: message, data: error["data"])))
    } else {
      outcome = .failure(.badReply("an error without code or message"))
    }
  }
}
