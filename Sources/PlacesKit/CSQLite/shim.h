#include <sqlite3.h>

// Swift does not import variadic functions.
static inline int csqlite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// Turns off SQLite's count of allocated memory, which takes a lock of the whole process for each allocation. Fails once a database was
// opened.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// SQLITE_TRANSIENT is a number that is cast to a function pointer, which Swift does not import either.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return length == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                     : sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}
