// A DDS participant of eProsima Fast DDS for the tests. Arguments are words `key=value`; the first one says what to do.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <cstdint>
#include <cmath>
#include <string>
#include <thread>
#include <vector>
#include <fastcdr/Cdr.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

using namespace eprosima::fastdds::dds;
using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;

struct Vector3Stamped { int32_t sec = 0; uint32_t nanosec = 0; std::string frame; double x = 0, y = 0, z = 0;
  void put(Cdr &c) const { c << sec << nanosec << frame << x << y << z; }
  void get(Cdr &c) { c >> sec >> nanosec >> frame >> x >> y >> z; }
  static const char *name() { return "geometry_msgs::msg::dds_::Vector3Stamped_"; } };
struct Bytes { uint32_t dimensions = 0, offset = 0; std::vector<uint8_t> data;
  void put(Cdr &c) const { c << dimensions << offset << data; }
  void get(Cdr &c) { c >> dimensions >> offset >> data; }
  static const char *name() { return "std_msgs::msg::dds_::UInt8MultiArray_"; } };
struct Empty_Request { uint8_t nothing = 0;
  void put(Cdr &c) const { c << nothing; } void get(Cdr &c) { c >> nothing; }
  static const char *name() { return "std_srvs::srv::dds_::Empty_Request_"; } };
struct Empty_Response { uint8_t nothing = 0;
  void put(Cdr &c) const { c << nothing; } void get(Cdr &c) { c >> nothing; }
  static const char *name() { return "std_srvs::srv::dds_::Empty_Response_"; } };

template <class T> struct Type : TopicDataType {
  Type() { setName(T::name()); m_typeSize = 2000000; m_isGetKeyDefined = false; }
  bool serialize(void *data, SerializedPayload_t *p) override {
    FastBuffer b((char *)p->data, p->max_size); Cdr c(b, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
    p->encapsulation = c.endianness() == Cdr::BIG_ENDIANNESS ? CDR_BE : CDR_LE;
    c.serialize_encapsulation(); static_cast<T *>(data)->put(c); p->length = (uint32_t)c.getSerializedDataLength(); return true;
  }
  bool deserialize(SerializedPayload_t *p, void *data) override {
    FastBuffer b((char *)p->data, p->length); Cdr c(b, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
    c.read_encapsulation(); static_cast<T *>(data)->get(c); return true;
  }
  std::function<uint32_t()> getSerializedSizeProvider(void *) override { return [this] { return m_typeSize; }; }
  void *createData() override { return new T; }
  void deleteData(void *data) override { delete static_cast<T *>(data); }
  bool getKey(void *, InstanceHandle_t *, bool) override { return false; }
};

static int argc_; static char **argv_;
static std::string word(const char *key, const char *otherwise) {
  size_t n = strlen(key);
  for (int i = 2; i < argc_; i++) if (!strncmp(argv_[i], key, n) && argv_[i][n] == '=') return argv_[i] + n + 1;
  return otherwise;
}
static double number(const char *key, double otherwise) { auto w = word(key, ""); return w.empty() ? otherwise : atof(w.c_str()); }
static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
static void rest(double s) { if (s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(s)); }

/** On the loopback interface by UDP only. */
static DomainParticipant *join() {
  DomainParticipantQos q = PARTICIPANT_QOS_DEFAULT;
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->interfaceWhiteList.push_back("127.0.0.1");
  q.transport().use_builtin_transports = false;
  q.transport().user_transports.push_back(udp);
  return DomainParticipantFactory::get_instance()->create_participant((uint32_t)number("domain", 0), q);
}
static void say(const std::string &line) { printf("%s\n", line.c_str()); fflush(stdout); }
static bool is_reliable() { return number("reliable", 1) != 0; }
template <class T> static Topic *topic(DomainParticipant *p, const std::string &name) {
  TypeSupport t(new Type<T>()); t.register_type(p); return p->create_topic(name, T::name(), TOPIC_QOS_DEFAULT);
}
template <class T> static DataReader *reader(DomainParticipant *p, const std::string &name) {
  DataReaderQos q = DATAREADER_QOS_DEFAULT;
  q.reliability().kind = is_reliable() ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
  q.durability().kind = number("transient", 0) ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
  q.history().kind = KEEP_ALL_HISTORY_QOS;
  q.endpoint().history_memory_policy = eprosima::fastrtps::rtps::DYNAMIC_RESERVE_MEMORY_MODE;
  return p->create_subscriber(SUBSCRIBER_QOS_DEFAULT)->create_datareader(topic<T>(p, name), q);
}
template <class T> static DataWriter *writer(DomainParticipant *p, const std::string &name) {
  DataWriterQos q = DATAWRITER_QOS_DEFAULT;
  q.reliability().kind = is_reliable() ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
  q.history().kind = KEEP_ALL_HISTORY_QOS;
  q.endpoint().history_memory_policy = eprosima::fastrtps::rtps::DYNAMIC_RESERVE_MEMORY_MODE;
  q.durability().kind = number("transient", 0) ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
  q.publish_mode().kind = ASYNCHRONOUS_PUBLISH_MODE;
  return p->create_publisher(PUBLISHER_QOS_DEFAULT)->create_datawriter(topic<T>(p, name), q);
}
static void matched(DataReader *r) { SubscriptionMatchedStatus s; double t = now(); do { rest(0.002); r->get_subscription_matched_status(s); } while (s.current_count < 1 && now() - t < 10); say("matched"); }
static void matched(DataWriter *w) { PublicationMatchedStatus s; double t = now(); do { rest(0.002); w->get_publication_matched_status(s); } while (s.current_count < 1 && now() - t < 10); say("matched"); }

static uint64_t bits(double v) { uint64_t b; memcpy(&b, &v, 8); return b; }
static void show(const Vector3Stamped &m) {
  printf("{\"sec\":%d,\"frame\":\"%s\",\"x\":\"%016llx\",\"y\":\"%016llx\",\"z\":\"%016llx\"}\n", m.sec, m.frame.c_str(),
         (unsigned long long)bits(m.x), (unsigned long long)bits(m.y), (unsigned long long)bits(m.z));
}
static void show(const Bytes &m) {
  uint64_t h = 1469598103934665603ull; for (uint8_t b : m.data) h = (h ^ b) * 1099511628211ull;
  printf("%u %zu %llx\n", m.offset, m.data.size(), (unsigned long long)h);
}
static void fill(Vector3Stamped &m, int n) { m.sec = n; m.x = n; m.y = 0.1 * n; m.z = std::sqrt(n); }
static void fill(Bytes &m, int n) {
  size_t size = (size_t)number("size", 100); m.offset = n; m.data.resize(size);
  for (size_t i = 0; i < size; i++) m.data[i] = (uint8_t)(7 * i + n + (i >> 8));
}

template <class T> static void subscribe() {
  auto *p = join(); auto *r = reader<T>(p, word("topic", "")); matched(r);
  int have = 0, wanted = (int)number("count", 1); double begun = now(), limit = number("timeout", 10);
  T m; SampleInfo info;
  while (have < wanted && now() - begun < limit)
    if (r->take_next_sample(&m, &info) == ReturnCode_t::RETCODE_OK) { if (info.valid_data) { have++; show(m); fflush(stdout); } }
    else rest(0.0005);
  say("end " + std::to_string(have));
}
template <class T> static void publish() {
  auto *p = join(); auto *w = writer<T>(p, word("topic", "")); matched(w);
  // Best effort says nothing of samples that come before the reader has found the writer.
  if (!is_reliable()) rest(0.3);
  int count = (int)number("count", 1); double rate = number("rate", 100), next = now();
  for (int n = 1; n <= count; n++) { T m; fill(m, n); w->write(&m); next += 1 / rate; rest(next - now()); }
  w->wait_for_acknowledgments(eprosima::fastrtps::Duration_t(10, 0)); rest(0.1);
  say("end " + std::to_string(count));
}
/** As ROS 2 calls a service with Fast DDS: the reply says which request it answers. */
static void call() {
  auto *p = join(); auto service = word("service", "");
  auto *w = writer<Empty_Request>(p, "rq" + service + "Request"); auto *r = reader<Empty_Response>(p, "rr" + service + "Reply");
  matched(w); matched(r);
  Empty_Request request; eprosima::fastrtps::rtps::WriteParams params; params.related_sample_identity().writer_guid() = r->guid();
  w->write(&request, params);
  Empty_Response m; SampleInfo info;
  for (double begun = now(); now() - begun < 5; rest(0.001))
    if (r->take_next_sample(&m, &info) == ReturnCode_t::RETCODE_OK && info.valid_data) {
      bool is_mine = info.related_sample_identity.writer_guid() == r->guid();
      say(std::string("reply ") + (is_mine ? "mine " : "other ") + std::to_string(info.related_sample_identity.sequence_number().to64long()) +
          " of " + std::to_string(params.sample_identity().sequence_number().to64long()));
      return;
    }
}

int main(int argc, char **argv) {
  argc_ = argc; argv_ = argv;
  std::string job = argc > 1 ? argv[1] : ""; bool big = word("type", "") == "std_msgs/UInt8MultiArray";
  if (job == "sub") big ? subscribe<Bytes>() : subscribe<Vector3Stamped>();
  else if (job == "pub") big ? publish<Bytes>() : publish<Vector3Stamped>();
  else if (job == "call") call();
  else return 2;
  fflush(stdout); _Exit(0);
}
