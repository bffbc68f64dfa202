/* A program in C89 that makes, reads and explains IDs: client STORE, the path of a file that may be missing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mintmark/c.h"

static void fail(const char* what, const mintmark_error* error) {
  fprintf(stderr, "%s: %s: %s\n", what, mintmark_error_name(error->code), error->detail);
  exit(1);
}

static void make_and_read(void) {
  mintmark_error error = MINTMARK_ERROR_INIT;
  char text[MINTMARK_TEXT_SIZE];
  unsigned char bytes[MINTMARK_BYTES_SIZE];
  size_t needed = 0;
  int64_t time = 0;

  if (mintmark_new("uuid7", text, sizeof text, &error) != MINTMARK_OK) fail("new", &error);
  if (strlen(text) != 36) exit(2);
  if (mintmark_to_bytes("uuid7", text, MINTMARK_ZERO_ENDED, bytes, sizeof bytes, &needed, &error) !=
          MINTMARK_OK ||
      needed != 16) {
    fail("to_bytes", &error);
  }
  if (mintmark_time_of_bytes("uuid7", bytes, needed, &time, &error) != MINTMARK_OK)
    fail("time", &error);
  if (mintmark_now() - time > 60 * (int64_t)MINTMARK_TICKS_PER_SECOND) exit(3);
  if (mintmark_validate("ulid", text, MINTMARK_ZERO_ENDED, NULL) != MINTMARK_WRONG_LENGTH) exit(4);
}

static void explain(void) {
  mintmark_error error = MINTMARK_ERROR_INIT;
  const char* ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  size_t needed = 0;
  char* json;

  if (mintmark_inspect(NULL, ulid, MINTMARK_ZERO_ENDED, NULL, 0, &needed, &error) != MINTMARK_OK)
    fail("inspect", &error);
  json = malloc(needed);
  if (json == NULL) exit(5);
  if (mintmark_inspect("ulid", ulid, 26, json, needed, NULL, &error) != MINTMARK_OK)
    fail("inspect", &error);
  if (strstr(json, "2016-07-30T23:54:10.259Z") == NULL) exit(6);
  free(json);
}

static void mint(const char* path) {
  mintmark_error error = MINTMARK_ERROR_INIT;
  mintmark_mint_options options = MINTMARK_MINT_OPTIONS_INIT;
  mintmark_mint* handle = NULL;
  uint64_t ids[100];
  char store[256];
  size_t i;

  sprintf(store, "sqlite:%.200s", path);
  options.store = store;
  if (mintmark_mint_open(&options, &handle, &error) != MINTMARK_OK) fail("open", &error);
  if (mintmark_mint_wait(handle, 60000, &error) != MINTMARK_OK) fail("wait", &error);
  if (mintmark_mint_fill_u64(handle, ids, 100, NULL, &error) != MINTMARK_OK) fail("fill", &error);
  for (i = 1; i < 100; ++i) {
    if (ids[i - 1] >= ids[i]) exit(7);
  }
  mintmark_mint_close(handle);
}

int main(int count, char** words) {
  if (count != 2) return 8;
  make_and_read();
  explain();
  mint(words[1]);
  printf("mintmark %s\n", mintmark_version());
  return 0;
}
