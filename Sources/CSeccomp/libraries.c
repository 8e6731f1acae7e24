// Lists the libraries that this process has loaded.
#define _GNU_SOURCE
#include "cseccomp.h"

#include <link.h>

typedef struct {
  void (*visit)(const char *path, void *context);
  void *context;
} visitor;

static int visit_library(struct dl_phdr_info *information, size_t size, void *context) {
  (void)size;
  visitor *visitor = context;
  if (information->dlpi_name && information->dlpi_name[0]) visitor->visit(information->dlpi_name, visitor->context);
  return 0;
}

void cseccomp_libraries(void (*visit)(const char *path, void *context), void *context) {
  visitor visitor = {visit, context};
  dl_iterate_phdr(visit_library, &visitor);
}
