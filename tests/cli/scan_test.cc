#include <gtest/gtest.h>

#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(ScanCommand, FindsEachKindWithItsPlace) {
  const Shell shell;
  shell.write(
      "app.log",
      "start\n"
      "order=017f22e2-79b0-7cc3-98c4-dc0c0c07398f ulid:01ARZ3NDEKTSV4RRFFQ69G5FAV.\n"
      "{\"_id\":\"507f1f77bcf86cd799439011\",\"user\":\"user_01h455vb4pex5vsknk084sn02q\"}\n"
      "k 0ujtsYcgvSTl8PAuAdqWYSMnLOv x 9m4e2mr0ui3e8a215n4g p -JhLeOlGIEjaIOFHR0xd\n");
  const Ran ran = shell.run("mintmark scan app.log");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out,
            "app.log:2:7: uuid7 017f22e2-79b0-7cc3-98c4-dc0c0c07398f 2022-02-22T19:22:22.000Z\n"
            "app.log:2:49: ulid 01ARZ3NDEKTSV4RRFFQ69G5FAV 2016-07-30T23:54:10.259Z\n"
            "app.log:3:9: objectid 507f1f77bcf86cd799439011 2012-10-17T21:13:27.000Z\n"
            "app.log:3:43: typeid user_01h455vb4pex5vsknk084sn02q 2023-06-30T03:34:18.518Z\n"
            "app.log:4:3: ksuid 0ujtsYcgvSTl8PAuAdqWYSMnLOv 2017-10-10T04:00:47.000Z\n"
            "app.log:4:33: xid 9m4e2mr0ui3e8a215n4g 2011-03-22T17:50:19.000Z\n"
            "app.log:4:56: pushid -JhLeOlGIEjaIOFHR0xd 2015-02-04T22:15:31.153Z\n");
}

TEST(ScanCommand, FindsAnIdInsideAWord) {
  const Shell shell;
  EXPECT_EQ(shell.run("echo order-017f22e2-79b0-7cc3-98c4-dc0c0c07398f-done | mintmark scan").out,
            "stdin:1:7: uuid7 017f22e2-79b0-7cc3-98c4-dc0c0c07398f 2022-02-22T19:22:22.000Z\n");
  EXPECT_EQ(shell.run("echo job_01ARZ3NDEKTSV4RRFFQ69G5FAV | mintmark scan").out,
            "stdin:1:5: ulid 01ARZ3NDEKTSV4RRFFQ69G5FAV 2016-07-30T23:54:10.259Z\n");
  // Letters that touch it make it another word.
  EXPECT_EQ(shell.run("echo a017f22e2-79b0-7cc3-98c4-dc0c0c07398f | mintmark scan").out, "");
}

TEST(ScanCommand, TakesNoWordForAnId) {
  const Shell shell;
  const Ran ran = shell.run(
      "printf '%s\\n' 1541815603606036480 internationalizations electroencephalographist "
      "counterrevolutionaries12 2026-12-01T12:00:00.000Z aaaaaaaaaaaaaaaaaaaaaaaaaaaa "
      "20261201120000000000 --------------------- | mintmark scan");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "");
}

TEST(ScanCommand, FindsNumbersOfALayoutThatIsNamed) {
  const Shell shell;
  EXPECT_EQ(shell.run("echo 'id=1541815603606036480,2x' | mintmark scan -s twitter").out,
            "stdin:1:4: twitter 1541815603606036480 2022-06-28T16:07:40.105Z\n");
}

TEST(ScanCommand, AnnotatesACopy) {
  const Shell shell;
  EXPECT_EQ(shell
                .run("printf 'a 01ARZ3NDEKTSV4RRFFQ69G5FAV b\\nplain\\n"
                     "919108f7-52d1-4320-9bac-f847db4148a8' | mintmark scan --annotate")
                .out,
            "a 01ARZ3NDEKTSV4RRFFQ69G5FAV[2016-07-30T23:54:10.259Z] b\nplain\n"
            "919108f7-52d1-4320-9bac-f847db4148a8[uuid4]");
}

TEST(ScanCommand, AnnotatingLosesNoByte) {
  const Shell shell;
  shell.write("raw", "a\r\n\r\n" + std::string(1, '\0') + "b\n" + std::string(3'000'000, 'x') +
                         "\n\nlast \xff line without an end");
  EXPECT_EQ(shell.run("mintmark scan --annotate raw | cmp - raw").code, 0);
  const Ran ran =
      shell.run("printf '01ARZ3NDEKTSV4RRFFQ69G5FAV\\r\\nx' | mintmark scan -a | od -An -c");
  EXPECT_TRUE(has(ran.out, "]  \\r  \\n   x")) << ran.out;
}

TEST(ScanCommand, TakesNoHashForAnId) {
  const Shell shell;
  EXPECT_EQ(shell.run("echo 7ea3ed64163e7fbcafdb6467adfa1f04 | mintmark scan").out, "");
  EXPECT_TRUE(has(shell.run("echo 919108f752d143209bacf847db4148a8 | mintmark scan -s uuid").out,
                  "uuid 919108f752d143209bacf847db4148a8"));
  EXPECT_EQ(shell.run("echo '10.0.0.1 - - 2026 \"GET /\" 200 512' | mintmark scan -s twitter").out,
            "");
}

TEST(ScanCommand, JsonIsAnObjectALine) {
  const Shell shell;
  EXPECT_EQ(shell.run("echo 'x 01ARZ3NDEKTSV4RRFFQ69G5FAV' | mintmark scan --json").out,
            "{\"file\":\"stdin\",\"line\":1,\"column\":3,\"id\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\","
            "\"scheme\":\"ulid\",\"time\":\"2016-07-30T23:54:10.259Z\"}\n");
}

TEST(ScanCommand, SaysWhichFileCannotBeRead) {
  const Shell shell;
  const Ran ran = shell.run("mintmark scan nowhere");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "nowhere: No such file")) << ran.err;
}

}  // namespace
}  // namespace mintmark::cli
