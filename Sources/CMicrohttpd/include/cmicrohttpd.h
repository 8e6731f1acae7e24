// A C interface to GNU libmicrohttpd, an HTTP/1.1 server, which here has neither a listening socket nor threads. The caller accepts
// connections, watches one epoll descriptor, and calls `cmhd_run` when that is ready. Everything happens on the caller's thread.
#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

typedef struct MHD_Daemon cmhd_server;
typedef struct MHD_Connection cmhd_connection;
typedef struct MHD_Response cmhd_response;

typedef struct {
  void *context;
  // Called when the request line has been read. Returns the context of the request for the calls below, which must not be NULL.
  void *(*began)(void *context, cmhd_connection *connection, const char *target);
  // Called when the headers are complete (count 0), then for each part of the body, then once more with count 0. Returns 1 to continue, or
  // 0 to close the connection. A response may be queued in the first and in the last call. If the last call suspends the connection
  // instead, it is made again after `cmhd_resume`.
  int (*received)(void *request, cmhd_connection *connection, const char *method, const char *bytes, size_t count);
  // Called when the request has ended, with any outcome.
  void (*ended)(void *request);
  // Called before the connection's socket is closed.
  void (*closed)(void *context, int socket);
} cmhd_callbacks;

// Starts a server; NULL if that fails. `memory` is the number of bytes for one connection, which limits the size of the request line and
// the headers.
cmhd_server *cmhd_start(const cmhd_callbacks *callbacks, size_t memory, unsigned int connections, unsigned int idle_seconds);
// Closes every connection. None may be suspended.
void cmhd_stop(cmhd_server *server);
// The descriptor to watch for input.
int cmhd_epoll(cmhd_server *server);
// Handles all pending events.
void cmhd_run(cmhd_server *server);
// Whether `cmhd_run` must be called again at once.
int cmhd_is_busy(cmhd_server *server);
// Takes a connected, non-blocking socket. If that fails, closes it and returns 0.
int cmhd_add(cmhd_server *server, int socket, const struct sockaddr *address, socklen_t length);

int cmhd_socket(cmhd_connection *connection);
// A header's value, or NULL.
const char *cmhd_header(cmhd_connection *connection, const char *name);
// 0 if another HTTP implementation may find another end of this request, or another host (RFC 9112, sections 3.2, 5.1 and 6.3). That is so
// if there are two Content-Length or two Host headers, a Transfer-Encoding besides a Content-Length or other than `chunked`, a name that is
// not a token, or a control character in a value. libmicrohttpd 0.9.75 uses the first of several headers, and ignores a coding that it does
// not know. It ends a line at a bare CR or LF and joins folded lines before this function is called. A proxy in front of the server must
// reject such requests.
int cmhd_is_framed_clearly(cmhd_connection *connection);
void cmhd_suspend(cmhd_connection *connection);
void cmhd_resume(cmhd_connection *connection);

// A response with a copy of these bytes.
cmhd_response *cmhd_response_of(const void *bytes, size_t count);
// A response that is read in parts: `read` returns the number of bytes that it wrote to `room`, 0 after it has suspended the connection, or
// -1 at the end.
cmhd_response *cmhd_response_stream(void *context, ssize_t (*read)(void *context, uint64_t position, char *room, size_t size), void (*end)(void *context));
void cmhd_response_header(cmhd_response *response, const char *name, const char *value);
// Queues the response and takes ownership of it. Returns 0 if the connection cannot take it.
int cmhd_queue(cmhd_connection *connection, unsigned int status, cmhd_response *response);
#endif
