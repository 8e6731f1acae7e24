// The C door to libcurl: its setters are variadic, which Swift cannot call.
#ifndef CCURL_H
#define CCURL_H
#include <curl/curl.h>
#endif
