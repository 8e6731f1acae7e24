// libcurl's setters and getters are variadic functions, which Swift cannot call. Each function here calls one of them with one type.
#ifndef CCURL_H
#define CCURL_H
#include <curl/curl.h>

/// A callback that receives bytes. If it returns another number than size * count, libcurl ends the transfer.
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
/// Sets a string option. libcurl copies the string.
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
/// Sets the body of a POST request (CURLOPT_COPYPOSTFIELDS). libcurl copies the bytes.
CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t count);
/// Sets CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver);
/// Sets CURLOPT_SSL_CTX_FUNCTION.
CURLcode ccurl_set_tls_context_callback(CURL *easy, curl_ssl_ctx_callback callback);
/// Sets CURLOPT_PREREQFUNCTION.
CURLcode ccurl_set_send_check(CURL *easy, curl_prereq_callback check);
/// Sets CURLOPT_OPENSOCKETFUNCTION.
CURLcode ccurl_set_socket_opener(CURL *easy, curl_opensocket_callback opener);

/// A value of type `long`; 0 if libcurl does not know it.
long ccurl_get_long(CURL *easy, CURLINFO info);
/// A value of type `curl_off_t`, which is in microseconds for CURLINFO_*_TIME_T; 0 if libcurl does not know it.
long long ccurl_get_off_t(CURL *easy, CURLINFO info);
/// The pointer that was set with CURLOPT_PRIVATE; NULL if there is none.
void *ccurl_get_private(CURL *easy);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
/// Sets CURLMOPT_SOCKETFUNCTION and CURLMOPT_SOCKETDATA.
CURLMcode ccurl_multi_set_socket_watcher(CURLM *multi, curl_socket_callback watcher, void *context);
/// Sets CURLMOPT_TIMERFUNCTION and CURLMOPT_TIMERDATA.
CURLMcode ccurl_multi_set_timer(CURLM *multi, curl_multi_timer_callback timer, void *context);
/// The result in a message CURLMSG_DONE.
CURLcode ccurl_message_result(const CURLMsg *message);
#endif
