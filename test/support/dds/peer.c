/* A DDS participant of Eclipse Cyclone DDS for the tests: what it decodes is printed, what it sends is asked for.
 * Arguments are words `key=value`; the first one says what to do. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "dds/dds.h"
#include "types.h"

struct kind { const char *name; const dds_topic_descriptor_t *descriptor; void (*print)(const void *); };

static void print_number(double v) { uint64_t b; memcpy(&b, &v, 8); printf("\"%016" PRIx64 "\"", b); }
static void print_whole(int64_t v) { printf("%" PRId64, v); }
static void print_text(const char *s) {
  putchar('"');
  for (; s && *s; s++) if (*s == '"' || *s == '\\') printf("\\%c", *s); else putchar(*s);
  putchar('"');
}

#include "printers.h"

static int argc; static char **argv;
static const char *word(const char *key, const char *otherwise) {
  size_t n = strlen(key);
  for (int i = 2; i < argc; i++) if (!strncmp(argv[i], key, n) && argv[i][n] == '=') return argv[i] + n + 1;
  return otherwise;
}
static double number(const char *key, double otherwise) { const char *w = word(key, 0); return w ? atof(w) : otherwise; }
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static void rest(double s) { if (s > 0) usleep((useconds_t)(1e6 * s)); }

static const struct kind *kind_of(const char *name) {
  for (const struct kind *k = KINDS; k->name; k++) if (!strcmp(k->name, name)) return k;
  fprintf(stderr, "no type %s\n", name); exit(2);
}
static dds_qos_t *qos(void) {
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, number("reliable", 1) ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(10));
  dds_qset_durability(q, number("transient", 0) ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  double depth = number("depth", 0);
  dds_qset_history(q, depth > 0 ? DDS_HISTORY_KEEP_LAST : DDS_HISTORY_KEEP_ALL, (int)depth);
  /* What a writer keeps for those who come late is a setting of its own. */
  if (number("transient", 0))
    dds_qset_durability_service(q, 0, depth > 0 ? DDS_HISTORY_KEEP_LAST : DDS_HISTORY_KEEP_ALL, (int)depth,
                                DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  if (number("lease", 0)) dds_qset_liveliness(q, DDS_LIVELINESS_MANUAL_BY_TOPIC, (dds_duration_t)(1e9 * number("lease", 0)));
  if (number("deadline", 0)) dds_qset_deadline(q, (dds_duration_t)(1e9 * number("deadline", 0)));
  return q;
}
static dds_entity_t made(dds_entity_t e) { if (e < 0) { fprintf(stderr, "%s\n", dds_strretcode(-e)); exit(2); } return e; }
static dds_entity_t join(void) { return made(dds_create_participant((dds_domainid_t)number("domain", 0), NULL, NULL)); }
static dds_entity_t topic(dds_entity_t p, const char *name, const struct kind *k) {
  return made(dds_create_topic(p, k->descriptor, name, NULL, NULL));
}

/* Waits until so many others match, and says so. */
static void wait_match(dds_entity_t e, int is_writer, unsigned wanted, double limit) {
  double begun = now();
  for (unsigned have = 0; have < wanted && now() - begun < limit; rest(0.002))
    if (is_writer) { dds_publication_matched_status_t s; dds_get_publication_matched_status(e, &s); have = s.current_count; }
    else { dds_subscription_matched_status_t s; dds_get_subscription_matched_status(e, &s); have = s.current_count; }
  printf("matched\n"); fflush(stdout);
}

static uint64_t checksum(const uint8_t *b, uint32_t n) { uint64_t h = 1469598103934665603ull; for (uint32_t i = 0; i < n; i++) h = (h ^ b[i]) * 1099511628211ull; return h; }

static void subscribe(void) {
  dds_entity_t p = join();
  const struct kind *k = kind_of(word("type", ""));
  dds_entity_t r = made(dds_create_reader(p, topic(p, word("topic", ""), k), qos(), NULL));
  int wanted = (int)number("count", 1), have = 0, is_brief = (int)number("brief", 0);
  double limit = number("timeout", 10), begun = now();
  wait_match(r, 0, 1, limit);
  void *sample[64] = { 0 }; dds_sample_info_t info[64];
  while (have < wanted && now() - begun < limit) {
    int n = dds_take(r, sample, info, 64, 64);
    for (int i = 0; i < n; i++) if (info[i].valid_data) {
      have++;
      if (is_brief) {
        const std_msgs_msg_dds__UInt8MultiArray_ *m = sample[i];
        printf("%u %u %" PRIx64 "\n", m->layout.data_offset, m->data._length, checksum(m->data._buffer, m->data._length));
      } else { k->print(sample[i]); putchar('\n'); }
    }
    if (n > 0) { fflush(stdout); dds_return_loan(r, sample, n); } else rest(0.0005);
  }
  printf("end %d\n", have); fflush(stdout);
  dds_delete(p);
}

/* A message of number n, of the kinds that are sent in the tests. */
static void *fill(const char *type, int n) {
  if (!strcmp(type, "geometry_msgs/Vector3Stamped")) {
    geometry_msgs_msg_dds__Vector3Stamped_ *m = geometry_msgs_msg_dds__Vector3Stamped___alloc();
    m->header.stamp.sec = n; m->header.frame_id = dds_string_dup(word("frame", ""));
    m->vector.x = number("x", n); m->vector.y = number("y", 0.1 * n); m->vector.z = number("z", sqrt(n));
    return m;
  }
  if (!strcmp(type, "std_msgs/UInt8MultiArray")) {
    std_msgs_msg_dds__UInt8MultiArray_ *m = std_msgs_msg_dds__UInt8MultiArray___alloc();
    uint32_t size = (uint32_t)number("size", 100);
    m->layout.data_offset = n; m->data._length = m->data._maximum = size; m->data._release = true;
    m->data._buffer = dds_alloc(size);
    for (uint32_t i = 0; i < size; i++) m->data._buffer[i] = (uint8_t)(7 * i + n + (i >> 8));
    return m;
  }
  if (!strcmp(type, "sensor_msgs/Joy")) {
    sensor_msgs_msg_dds__Joy_ *m = sensor_msgs_msg_dds__Joy___alloc();
    m->header.frame_id = dds_string_dup("");
    m->axes._length = m->axes._maximum = 4; m->axes._release = true; m->axes._buffer = dds_alloc(4 * sizeof(float));
    for (int i = 0; i < 4; i++) { char key[] = "a0"; key[1] += i; m->axes._buffer[i] = (float)number(key, 0); }
    return m;
  }
  if (!strcmp(type, "std_msgs/Float64MultiArray")) {
    std_msgs_msg_dds__Float64MultiArray_ *m = std_msgs_msg_dds__Float64MultiArray___alloc();
    int size = (int)number("size", 4);
    m->data._length = m->data._maximum = size; m->data._release = true; m->data._buffer = dds_alloc(size * sizeof(double));
    for (int i = 0; i < size; i++) m->data._buffer[i] = number("x", 0);
    return m;
  }
  if (!strcmp(type, "brains2/Controls")) {
    brains2_msg_dds__Controls_ *m = brains2_msg_dds__Controls___alloc();
    m->header.frame_id = dds_string_dup("");
    m->delta = number("x", 0); m->tau_fl = m->tau_fr = m->tau_rl = m->tau_rr = number("y", 0);
    return m;
  }
  fprintf(stderr, "%s cannot be sent\n", type); exit(2);
}

static void publish(void) {
  dds_entity_t p = join();
  const char *type = word("type", "");
  const struct kind *k = kind_of(type);
  dds_entity_t w = made(dds_create_writer(p, topic(p, word("topic", ""), k), qos(), NULL));
  wait_match(w, 1, (unsigned)number("readers", 1), number("timeout", 10));
  int count = (int)number("count", 1);
  double rate = number("rate", 100), next = now();
  for (int n = 1; n <= count; n++) {
    void *m = fill(type, n);
    if (dds_write(w, m) != 0) fprintf(stderr, "write %d failed\n", n);
    dds_sample_free(m, k->descriptor, DDS_FREE_ALL);
    next += 1 / rate; rest(next - now());
  }
  /* Reliable samples are on their way until they are acknowledged. */
  dds_wait_for_acks(w, (dds_duration_t)(1e9 * number("linger", 5)));
  rest(number("stay", 0.1));
  printf("end %d\n", count); fflush(stdout);
  if (number("die", 0)) _exit(0);
  dds_delete(p);
}

/* Sends back what comes, at once. */
static void echo(void) {
  dds_entity_t p = join();
  const struct kind *k = kind_of("geometry_msgs/Vector3Stamped");
  dds_entity_t r = made(dds_create_reader(p, topic(p, word("in", ""), k), qos(), NULL));
  dds_entity_t w = made(dds_create_writer(p, topic(p, word("out", ""), k), qos(), NULL));
  dds_entity_t set = dds_create_waitset(p), condition = dds_create_readcondition(r, DDS_ANY_STATE);
  dds_waitset_attach(set, condition, 0);
  printf("ready\n"); fflush(stdout);
  double begun = now(), limit = number("timeout", 30);
  while (now() - begun < limit) {
    dds_waitset_wait(set, NULL, 0, DDS_MSECS(100));
    void *sample[1] = { 0 }; dds_sample_info_t info[1];
    while (dds_take(r, sample, info, 1, 1) > 0) {
      if (info[0].valid_data) dds_write(w, sample[0]);
      dds_return_loan(r, sample, 1);
    }
  }
}

/* All topics at once, as a recorder takes them: topics=name:type:reliable,... */
static void record(void) {
  dds_entity_t p = join(), readers[64];
  int count = 0;
  char *list = strdup(word("topics", "")), *rest_of = 0;
  for (char *item = strtok_r(list, ",", &rest_of); item && count < 64; item = strtok_r(NULL, ",", &rest_of)) {
    char *name = item, *type = strchr(name, ':'), *reliable;
    *type++ = 0; reliable = strchr(type, ':'); *reliable++ = 0;
    dds_qos_t *q = dds_create_qos();
    dds_qset_reliability(q, *reliable == '1' ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(1));
    dds_qset_history(q, DDS_HISTORY_KEEP_LAST, 100);
    readers[count++] = made(dds_create_reader(p, topic(p, name, kind_of(type)), q, NULL));
  }
  long have = 0;
  for (double begun = now(), limit = number("timeout", 10); now() - begun < limit; rest(0.005))
    for (int k = 0; k < count; k++) {
      void *sample[64] = { 0 }; dds_sample_info_t info[64];
      int n = dds_take(readers[k], sample, info, 64, 64);
      if (n > 0) { have += n; dds_return_loan(readers[k], sample, n); }
    }
  printf("end %ld\n", have);
}

static int ascending(const void *a, const void *b) { double d = *(const double *)a - *(const double *)b; return d < 0 ? -1 : d > 0; }

/* Round trips to an echo, one after the other: the median in microseconds. */
static void ping(void) {
  dds_entity_t p = join();
  const struct kind *k = kind_of("geometry_msgs/Vector3Stamped");
  dds_entity_t w = made(dds_create_writer(p, topic(p, word("in", ""), k), qos(), NULL));
  dds_entity_t r = made(dds_create_reader(p, topic(p, word("out", ""), k), qos(), NULL));
  dds_entity_t set = dds_create_waitset(p), condition = dds_create_readcondition(r, DDS_ANY_STATE);
  dds_waitset_attach(set, condition, 0);
  wait_match(w, 1, 1, 10); wait_match(r, 0, 1, 10); rest(0.3);
  int count = (int)number("count", 1000), have = 0;
  double *took = calloc(count, sizeof *took);
  for (int n = 0; n < count; n++) {
    geometry_msgs_msg_dds__Vector3Stamped_ m = { .header = { .stamp = { .sec = n }, .frame_id = (char *)"" } };
    double begun = now();
    dds_write(w, &m);
    for (int back = 0; !back && now() - begun < 1; ) {
      dds_waitset_wait(set, NULL, 0, DDS_MSECS(100));
      void *sample[1] = { 0 }; dds_sample_info_t info[1];
      while (dds_take(r, sample, info, 1, 1) > 0) { back = 1; dds_return_loan(r, sample, 1); }
    }
    took[have++] = 1e6 * (now() - begun);
    rest(0.001);
  }
  qsort(took, have, sizeof *took, ascending);
  printf("median %.1f\n", took[have / 2]);
}

/* A service call as ROS 2 makes it with Cyclone: who asks and a number stand before the message. */
static void call(void) {
  char name[300];
  dds_entity_t p = join();
  snprintf(name, sizeof name, "rq%sRequest", word("service", ""));
  dds_entity_t w = made(dds_create_writer(p, topic(p, name, kind_of("std_srvs/Empty_Request")), qos(), NULL));
  snprintf(name, sizeof name, "rr%sReply", word("service", ""));
  dds_entity_t r = made(dds_create_reader(p, topic(p, name, kind_of("std_srvs/Empty_Response")), qos(), NULL));
  wait_match(w, 1, 1, 10);
  wait_match(r, 0, 1, 10);
  std_srvs_srv_dds__Empty_Request_ request = { .guid = 0x1234567890abcdefull, .seq = 42 };
  dds_write(w, &request);
  for (double begun = now(); now() - begun < 5; rest(0.001)) {
    void *sample[1] = { 0 }; dds_sample_info_t info[1];
    if (dds_take(r, sample, info, 1, 1) > 0) {
      const std_srvs_srv_dds__Empty_Response_ *m = sample[0];
      printf("reply %" PRIx64 " %" PRId64 "\n", (uint64_t)m->guid, (int64_t)m->seq);
      break;
    }
  }
  dds_delete(p);
}

/* Steers a parafoil to a heading by what the topics say, and by nothing else. */
static void steer(void) {
  dds_entity_t p = join();
  double wanted = number("heading", 1), limit = number("duration", 30), heading = 0, rate = 0;
  dds_entity_t r = made(dds_create_reader(p, topic(p, "rt/parafoil/odom", kind_of("nav_msgs/Odometry")), qos(), NULL));
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, DDS_RELIABILITY_BEST_EFFORT, 0);
  dds_entity_t w = made(dds_create_writer(p, topic(p, "rt/rockpara_actuators_node/auto_commands", kind_of("geometry_msgs/Vector3Stamped")), q, NULL));
  wait_match(w, 1, 1, 10);
  int seen = 0;
  for (double begun = now(), next = begun; now() - begun < limit; next += 0.05, rest(next - now())) {
    void *sample[64] = { 0 }; dds_sample_info_t info[64];
    int n = dds_take(r, sample, info, 64, 64);
    for (int i = 0; i < n; i++) if (info[i].valid_data) {
      const nav_msgs_msg_dds__Odometry_ *m = sample[i];
      /* East-north-up: clockwise from north it is atan2(east, north). */
      heading = atan2(m->twist.twist.linear.x, m->twist.twist.linear.y);
      rate = m->twist.twist.angular.z;
      seen++;
    }
    if (n > 0) dds_return_loan(r, sample, n);
    double error = atan2(sin(wanted - heading), cos(wanted - heading));
    double turn = 0.4 * error - 0.3 * rate;
    turn = turn > 0.5 ? 0.5 : turn < -0.5 ? -0.5 : turn;
    geometry_msgs_msg_dds__Vector3Stamped_ c = { .header = { .frame_id = (char *)"" } };
    /* A brake pulled on a side turns to that side. */
    c.vector.x = turn < 0 ? -turn : 0; c.vector.y = turn > 0 ? turn : 0;
    if (seen > 0) dds_write(w, &c);
  }
  printf("heading "); print_number(heading); printf(" seen %d\n", seen);
  dds_delete(p);
}

int main(int count, char **words) {
  argc = count; argv = words;
  const char *job = count > 1 ? words[1] : "";
  if (!strcmp(job, "sub")) subscribe();
  else if (!strcmp(job, "pub")) publish();
  else if (!strcmp(job, "echo")) echo();
  else if (!strcmp(job, "record")) record();
  else if (!strcmp(job, "ping")) ping();
  else if (!strcmp(job, "call")) call();
  else if (!strcmp(job, "steer")) steer();
  else { fprintf(stderr, "what shall I do?\n"); return 2; }
  return 0;
}
