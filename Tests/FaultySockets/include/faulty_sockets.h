// Sockets of a server that fail on demand. They replace functions of CLinux, which are weak symbols, in the program that tests; every socket
// that was not created here works as usual. Functions may be called from any thread.
#pragma once
#include <stdint.h>

typedef struct faulty_socket faulty_socket;

enum faulty_call { FAULTY_ACCEPT, FAULTY_SEND, FAULTY_RECEIVE, FAULTY_ADD, FAULTY_CALLS };

// A pair of stream sockets; the first end becomes the client's. The second one is the server's, and its peer is `user`. `buffer` is the size of
// the server's send buffer (SO_SNDBUF); 0 for the usual one. Null if the pair cannot be created.
faulty_socket *faulty_socket_create(uint32_t user, int buffer, int *client);

// A socket on which a server can accept offered sockets. The server owns the descriptor that `listener` receives.
faulty_socket *faulty_listener_create(int *listener);

// Lets the server accept the socket, to which the descriptor then belongs. Returns 0, or -1 if that fails.
int faulty_listener_offer(faulty_socket *listener, faulty_socket *socket);

// Closes a server's end that was not accepted. The server's socket may still be open, and then works as usual.
void faulty_socket_free(faulty_socket *socket);

// Lets `count` calls fail with an error's number after `after` calls have succeeded. Replaces earlier orders for this kind of call.
void faulty_socket_fail(faulty_socket *socket, enum faulty_call call, int error, long after, long count);

// From now on each call sends or receives at most this number of bytes, and some are interrupted by signals.
void faulty_socket_shorten(faulty_socket *socket, unsigned most);

// Returns 1 if the server has accepted the socket, otherwise 0.
int faulty_socket_is_accepted(faulty_socket *socket);
// The number of calls that failed because of `faulty_socket_fail`.
long faulty_socket_failures(faulty_socket *socket, enum faulty_call call);
// The number of calls that sent or received less than they could have because of `faulty_socket_shorten`.
long faulty_socket_shortened(faulty_socket *socket);
// The number of calls that sent nothing (EAGAIN), or only a part, because the send buffer was full.
long faulty_socket_blocked(faulty_socket *socket);
