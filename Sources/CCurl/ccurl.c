#include "ccurl.h"

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) { return curl_easy_setopt(easy, option, value); }
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) { return curl_easy_setopt(easy, option, value); }

CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t count) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, (const char *)bytes);
}

CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver) {
  return curl_easy_setopt(easy, option, receiver);
}

CURLcode ccurl_set_tls_context_callback(CURL *easy, curl_ssl_ctx_callback callback) {
  return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, callback);
}

CURLcode ccurl_set_send_check(CURL *easy, curl_prereq_callback check) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, check);
}

CURLcode ccurl_set_socket_opener(CURL *easy, curl_opensocket_callback opener) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
}

long ccurl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

long long ccurl_get_off_t(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

void *ccurl_get_private(CURL *easy) {
  char *value = 0;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : 0;
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) { return curl_multi_setopt(multi, option, value); }

CURLMcode ccurl_multi_set_socket_watcher(CURLM *multi, curl_socket_callback watcher, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  return code ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watcher);
}

CURLMcode ccurl_multi_set_timer(CURLM *multi, curl_multi_timer_callback timer, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return code ? code : curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
}

CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }
