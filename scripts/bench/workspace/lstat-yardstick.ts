import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Row, shownRow } from '../rows.ts';

/** The least that a full look can cost: C, two threads, every folder listed and every entry looked at; `NaN` without a compiler. */
export function lstatRow(root: string, name: string): Row {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-lstat-'));
  try {
    const [source, program] = [join(folder, 'lstat.c'), join(folder, 'lstat')];
    writeFileSync(source, SOURCE);
    const built = spawnSync('cc', ['-O2', '-pthread', '-o', program, source]).status === 0;
    const times = Array.from({ length: built ? 5 : 0 }, () =>
      Number(spawnSync(program, [root], { encoding: 'utf8' }).stdout),
    );
    const ours = times.length === 0 ? Number.NaN : Math.min(...times);
    return shownRow(`${name} yardstick: lstat in C, two threads`, { ours, theirs: Number.NaN });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SOURCE = String.raw`
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static char **waiting;
static size_t count, room, busy;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void give(const char *path) {
  pthread_mutex_lock(&lock);
  if (count == room) waiting = realloc(waiting, (room = room * 2 + 64) * sizeof *waiting);
  waiting[count++] = strdup(path);
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
}

static void look(const char *path) {
  DIR *folder = opendir(path);
  struct dirent *entry;
  struct stat stats;
  char below[4096];
  if (folder == NULL) return;
  while ((entry = readdir(folder)) != NULL) {
    const char *name = entry->d_name;
    if (!strcmp(name, ".") || !strcmp(name, "..") || !strcmp(name, ".git") || !strcmp(name, "node_modules")) continue;
    fstatat(dirfd(folder), name, &stats, AT_SYMLINK_NOFOLLOW);
    if (!S_ISDIR(stats.st_mode)) continue;
    snprintf(below, sizeof below, "%s/%s", path, name);
    give(below);
  }
  closedir(folder);
}

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (count == 0 && busy > 0) pthread_cond_wait(&more, &lock);
    if (count == 0) break;
    char *path = waiting[--count];
    busy++;
    pthread_mutex_unlock(&lock);
    look(path);
    free(path);
    pthread_mutex_lock(&lock);
    busy--;
    if (busy == 0 && count == 0) pthread_cond_broadcast(&more);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char **argv) {
  struct timespec start, end;
  pthread_t threads[2];
  if (argc != 2) return 1;
  clock_gettime(CLOCK_MONOTONIC, &start);
  give(argv[1]);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%.2f\n", (end.tv_sec - start.tv_sec) * 1e3 + (end.tv_nsec - start.tv_nsec) / 1e6);
  return 0;
}
`;
