import CCurl
import Linux
import PlacesKit

/// Converts an error code of libcurl to a `ProviderError`. libcurl's error messages are not used, because they may repeat the request.
struct TransferFailure {
  let error: ProviderError

  init(_ code: CURLcode, of handle: EasyHandle) {
    let host = handle.transfer.request.host
    // The status of a proxy's response to CONNECT; 0 without a proxy. If the proxy refuses, nothing has reached the host.
    let proxyStatus = ccurl_get_long(handle.raw, CURLINFO_HTTP_CONNECTCODE)
    switch code {
    case _ where proxyStatus >= 300:
      error = ProviderError(.connect, "the proxy refuses to connect to \(host) (HTTP \(proxyStatus))", detail: "proxy")
    case CURLE_OPERATION_TIMEDOUT: error = TransferFailure.timeout(handle, host)
    case CURLE_COULDNT_RESOLVE_HOST: error = ProviderError(.dns, "the name \(host) could not be resolved")
    case CURLE_COULDNT_RESOLVE_PROXY: error = ProviderError(.dns, "the proxy's name could not be resolved")
    case CURLE_COULDNT_CONNECT where handle.transfer.hasRefusedAddress:
      error = ProviderError(
        .connect, "\(host) is at an address of a private network; allow_private_addresses = true permits that", detail: "private_address")
    case CURLE_COULDNT_CONNECT: error = ProviderError(.connect, "\(host) refused the connection or cannot be reached")
    case CURLE_PEER_FAILED_VERIFICATION: error = TransferFailure.certificate(handle, host)
    case CURLE_SSL_CACERT_BADFILE:
      error = ProviderError(.tls, "the file of certificate authorities (ca_file) for \(host) cannot be read")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_USE_SSL_FAILED, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_INITFAILED:
      error = ProviderError(.tls, "no TLS connection to \(host)")
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      error = ProviderError(.http, "\(host) closed the connection without an answer", detail: "closed")
    case CURLE_PARTIAL_FILE: error = ProviderError(.http, "\(host) closed the connection in the middle of its answer", detail: "partial")
    case CURLE_BAD_CONTENT_ENCODING: error = ProviderError(.decode, "\(host) sent a body that is not compressed as its header declares")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3:
      error = ProviderError(.http, "\(host) violates HTTP", detail: "protocol")
    case CURLE_OUT_OF_MEMORY: error = ProviderError(.tooLarge, "\(host) sent more data than fits into memory")
    default:
      error = ProviderError(.http, "the transfer from \(host) failed (libcurl error \(code.rawValue))", detail: "curl_\(code.rawValue)")
    }
  }

  /// The error for a timeout of the whole request or of the connection. If the connection timed out, the error's cause is the step that
  /// took too long.
  private static func timeout(_ handle: EasyHandle, _ host: String) -> ProviderError {
    let elapsedMilliseconds = ccurl_get_off_t(handle.raw, CURLINFO_TOTAL_TIME_T) / 1_000
    let timeLimit = handle.transfer.timeout.milliseconds
    // If libcurl stopped before the request's time limit and without a connection, the time limit of the connection was exceeded.
    guard elapsedMilliseconds + 1 < timeLimit, ccurl_get_off_t(handle.raw, CURLINFO_PRETRANSFER_TIME_T) == 0 else {
      return ProviderError(.timeout, "\(host) did not answer within \(timeLimit) ms")
    }
    let connectTimeLimit = min(handle.transfer.timeout, handle.transfer.limits.connectTimeout).milliseconds
    if handle.transfer.hasBegunTLS {
      return ProviderError(.tls, "no TLS connection to \(host) within \(connectTimeLimit) ms")
    }
    // For a numeric address, the lookup time may be 0, because the address may be parsed in less than a microsecond.
    let isResolved =
      ccurl_get_off_t(handle.raw, CURLINFO_NAMELOOKUP_TIME_T) > 0 || InternetAddress(host.filter { $0 != "[" && $0 != "]" }) != nil
    return isResolved
      ? ProviderError(.connect, "no connection to \(host) within \(connectTimeLimit) ms")
      : ProviderError(.dns, "the name \(host) was not resolved within \(connectTimeLimit) ms")
  }

  /// The error for a certificate that was rejected. The numbers are OpenSSL's X509_V_ERR_….
  private static func certificate(_ handle: EasyHandle, _ host: String) -> ProviderError {
    let (detail, reason) =
      switch ccurl_get_long(handle.raw, CURLINFO_SSL_VERIFYRESULT) {
      case 9: ("not_yet_valid", "is not valid yet; is this machine's clock right?")
      case 10: ("expired", "has expired; is this machine's clock right?")
      case 18, 19: ("self_signed", "is signed by no authority that this machine trusts; ca_file can name one")
      case 2, 20, 21: ("unknown_authority", "comes from an authority this machine does not trust; ca_file can name it")
      // libcurl itself checks the name, after OpenSSL has accepted the certificate.
      case 0, 1, 62, 63, 64: ("wrong_host", "is for another host")
      case let number: ("certificate_\(number)", "cannot be verified (OpenSSL error \(number))")
      }
    return ProviderError(.tls, "the certificate of \(host) \(reason)", detail: detail)
  }
}
