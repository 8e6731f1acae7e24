import CCurl
import Glibc
import Linux
import PlacesKit

/// libcurl's easy handle of one transfer, with its options and callbacks. Only the HTTP thread uses it.
final class EasyHandle {
  let raw: UnsafeMutableRawPointer
  let transfer: Transfer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var isReleased = false

  /// Nil if libcurl has no memory for a handle.
  /// - Parameter usedHandle: libcurl's handle of an earlier transfer, which is reused; nil to create one.
  init?(_ transfer: Transfer, reusing usedHandle: UnsafeMutableRawPointer?) {
    guard let raw = usedHandle ?? curl_easy_init() else { return nil }
    self.raw = raw
    self.transfer = transfer
    setDestination()
    setSafety()
    setCallbacks()
  }

  deinit {
    if !isReleased { curl_easy_cleanup(raw) }
    curl_slist_free_all(headers)
  }

  /// Resets libcurl's handle and returns it for another transfer. The handle must have been removed from its multi handle.
  func release() -> UnsafeMutableRawPointer {
    curl_easy_reset(raw)
    isReleased = true
    return raw
  }

  private func set(_ option: CURLoption, _ value: Int) { _ = ccurl_set_long(raw, option, value) }
  private func set(_ option: CURLoption, _ value: String) { _ = ccurl_set_text(raw, option, value) }

  private func setDestination() {
    let request = transfer.request
    set(CURLOPT_URL, request.url)
    set(CURLOPT_PATH_AS_IS, 1)
    if request.method == .post {
      set(CURLOPT_POST, 1)
      _ = request.body.withUnsafeBytes { ccurl_set_body(raw, $0.baseAddress, $0.count) }
    }
    // The empty header `Expect` prevents libcurl from waiting for "100 Continue", which would cost a round trip and is useless for small
    // bodies.
    for header in request.headers + ["Expect:"] { headers = curl_slist_append(headers, header) ?? headers }
    _ = ccurl_set_pointer(raw, CURLOPT_HTTPHEADER, headers)
    set(CURLOPT_USERAGENT, transfer.access.userAgent)
    set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // Empty strings also disable the settings of the environment (http_proxy, no_proxy).
    set(CURLOPT_PROXY, transfer.proxy ?? "")
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private func setSafety() {
    set(CURLOPT_NOSIGNAL, 1)
    // Without this option, the removal of a transfer would wait for the resolver's thread, and delay all other transfers.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_TIMEOUT_MS, transfer.timeout.milliseconds)
    set(CURLOPT_CONNECTTIMEOUT_MS, min(transfer.timeout, transfer.limits.connectTimeout).milliseconds)
    // The limit is in seconds since the connection was made. A later request makes a new connection, to the current address of the host.
    set(CURLOPT_MAXLIFETIME_CONN, 600)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let file = transfer.access.authorityFile {
      set(CURLOPT_CAINFO, file)
      _ = ccurl_set_text(raw, CURLOPT_CAPATH, nil)
    }
  }

  /// Registers the functions that receive the response, check addresses, and record when TLS and the sending of the request begin.
  private func setCallbacks() {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    _ = ccurl_set_receiver(raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let context, let bytes else { return 0 }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }
    _ = ccurl_set_pointer(raw, CURLOPT_WRITEDATA, context)
    _ = ccurl_set_receiver(raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      guard let context, let bytes else { return 0 }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return transfer.receive(header: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }
    _ = ccurl_set_pointer(raw, CURLOPT_HEADERDATA, context)
    // The address is checked when the socket is created. The name is resolved by then, so it cannot hide a private address.
    _ = ccurl_set_socket_opener(raw) { context, _, address in
      guard let context, let address else { return CURL_SOCKET_BAD }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      let length = Int(address.pointee.addrlen)
      let parsed = withUnsafePointer(to: &address.pointee.addr) { InternetAddress($0, length: length) }
      guard transfer.allows(parsed) else { return CURL_SOCKET_BAD }
      let socketType = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
      return socket(address.pointee.family, socketType, address.pointee.protocol)
    }
    _ = ccurl_set_pointer(raw, CURLOPT_OPENSOCKETDATA, context)
    // libcurl calls this function each time before it sends the request. Without this check, libcurl would silently repeat a request that
    // was lost on a reused connection.
    _ = ccurl_set_send_check(raw) { context, _, _, _, _ in
      guard let context else { return CURL_PREREQFUNC_ABORT }
      return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().beginSending() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
    _ = ccurl_set_pointer(raw, CURLOPT_PREREQDATA, context)
    // libcurl 7.88 does not report when TCP is connected, but it calls this function immediately after that.
    _ = ccurl_set_tls_context_callback(raw) { _, _, context in
      if let context { Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().beganTLS() }
      return CURLE_OK
    }
    _ = ccurl_set_pointer(raw, CURLOPT_SSL_CTX_DATA, context)
    _ = ccurl_set_pointer(raw, CURLOPT_PRIVATE, context)
  }

  /// The response or the error of a finished transfer.
  func result(of code: CURLcode) -> Result<HTTPResponse, ProviderError> {
    code == CURLE_OK ? .success(transfer.response) : .failure(transfer.refusal ?? TransferFailure(code, of: self).error)
  }
}
