#include "cmicrohttpd.h"
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The callbacks of the server. They are static, because a process has only one server.
static cmhd_callbacks callbacks;

static void *began(void *context, const char *target, struct MHD_Connection *connection) {
  return callbacks.began(context, connection, target);
}

static enum MHD_Result received(void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                                const char *bytes, size_t *count, void **request) {
  (void)context, (void)url, (void)version;
  size_t length = *count;
  *count = 0;
  return callbacks.received(*request, connection, method, bytes, length) ? MHD_YES : MHD_NO;
}

static void ended(void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode code) {
  (void)context, (void)connection, (void)code;
  if (*request) callbacks.ended(*request);
  *request = NULL;
}

static void notified(void *context, struct MHD_Connection *connection, void **own, enum MHD_ConnectionNotificationCode code) {
  (void)own;
  if (code == MHD_CONNECTION_NOTIFY_CLOSED) callbacks.closed(context, cmhd_socket(connection));
}

// The caller decodes the target itself.
static size_t undecoded(void *context, struct MHD_Connection *connection, char *text) {
  (void)context, (void)connection;
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

cmhd_server *cmhd_start(const cmhd_callbacks *given, size_t memory, unsigned int connections, unsigned int idle_seconds) {
  callbacks = *given;
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO, 0, NULL, NULL, received, NULL,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, undecoded, NULL, MHD_OPTION_URI_LOG_CALLBACK, began, callbacks.context,
      MHD_OPTION_NOTIFY_COMPLETED, ended, NULL, MHD_OPTION_NOTIFY_CONNECTION, notified, callbacks.context, MHD_OPTION_END);
}

void cmhd_stop(cmhd_server *server) { MHD_stop_daemon(server); }

int cmhd_epoll(cmhd_server *server) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(server, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

void cmhd_run(cmhd_server *server) { MHD_run(server); }

int cmhd_is_busy(cmhd_server *server) {
  MHD_UNSIGNED_LONG_LONG milliseconds = 1;
  return MHD_get_timeout(server, &milliseconds) == MHD_YES && milliseconds == 0;
}

int cmhd_add(cmhd_server *server, int socket, const struct sockaddr *address, socklen_t length) {
  return MHD_add_connection(server, socket, address, length) == MHD_YES;
}

int cmhd_socket(cmhd_connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

const char *cmhd_header(cmhd_connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// A byte of a token (RFC 9110, section 5.6.2).
static int is_token(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '-' || (byte && strchr("0123456789!#$%&'*+.^_`|~", byte));
}

typedef struct {
  unsigned int hosts, lengths, codings;
  int is_chunked, is_malformed;
} framing;

static enum MHD_Result examine(void *context, enum MHD_ValueKind kind, const char *name, size_t name_size, const char *value,
                               size_t value_size) {
  (void)kind;
  framing *found = context;
  if (!name_size) found->is_malformed = 1;
  for (size_t i = 0; i < name_size; i++) {
    if (!is_token(name[i])) found->is_malformed = 1;
  }
  for (size_t i = 0; i < value_size; i++) {
    unsigned char byte = (unsigned char)value[i];
    if ((byte < ' ' && byte != '\t') || byte == 127) found->is_malformed = 1;
  }
  if (name_size == 4 && !strcasecmp(name, "Host")) found->hosts++;
  if (name_size == 14 && !strcasecmp(name, "Content-Length")) found->lengths++;
  if (name_size == 17 && !strcasecmp(name, "Transfer-Encoding")) {
    found->codings++;
    found->is_chunked = value && !strcasecmp(value, "chunked");
  }
  return MHD_YES;
}

int cmhd_is_framed_clearly(cmhd_connection *connection) {
  framing found = {0};
  MHD_get_connection_values_n(connection, MHD_HEADER_KIND, examine, &found);
  return !found.is_malformed && found.hosts <= 1 && found.lengths + found.codings <= 1 && (!found.codings || found.is_chunked);
}

void cmhd_suspend(cmhd_connection *connection) { MHD_suspend_connection(connection); }
void cmhd_resume(cmhd_connection *connection) { MHD_resume_connection(connection); }

cmhd_response *cmhd_response_of(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

cmhd_response *cmhd_response_stream(void *context, ssize_t (*read)(void *, uint64_t, char *, size_t), void (*end)(void *)) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read, context, end);
}

void cmhd_response_header(cmhd_response *response, const char *name, const char *value) {
  MHD_add_response_header(response, name, value);
}

int cmhd_queue(cmhd_connection *connection, unsigned int status, cmhd_response *response) {
  if (!response) return 0;
  int queued = MHD_queue_response(connection, status, response) == MHD_YES;
  MHD_destroy_response(response);
  return queued;
}
