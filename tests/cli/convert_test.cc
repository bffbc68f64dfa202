#include <gtest/gtest.h>

#include "shell.h"

namespace mintmark::cli {
namespace {

std::string converted(const Shell& shell, const std::string& arguments) {
  const Ran ran = shell.run("mintmark convert " + arguments);
  EXPECT_EQ(ran.code, 0) << arguments << ": " << ran.err;
  return ran.out.substr(0, ran.out.find('\n'));
}

TEST(ConvertCommand, SpellsAUuidInEveryWay) {
  const Shell shell;
  const std::string id = " 017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
  EXPECT_EQ(converted(shell, "--to upper" + id), "017F22E2-79B0-7CC3-98C4-DC0C0C07398F");
  EXPECT_EQ(converted(shell, "--to plain" + id), "017f22e279b07cc398c4dc0c0c07398f");
  EXPECT_EQ(converted(shell, "--to braced" + id), "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}");
  EXPECT_EQ(converted(shell, "--to urn" + id), "urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  EXPECT_EQ(converted(shell, "--to uuid {017f22e279b07cc398c4dc0c0c07398f}"), id.substr(1));
}

TEST(ConvertCommand, TakesTheSame128BitsFromUuidToUlidToTypeId) {
  const Shell shell;
  // ulid.txt and typeid.txt.
  EXPECT_EQ(converted(shell, "--to uuid 01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            "01563e3a-b5d3-d676-4c61-efb99302bd5b");
  EXPECT_EQ(converted(shell, "--to ulid 01563e3a-b5d3-d676-4c61-efb99302bd5b"),
            "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(converted(shell, "--to uuid prefix_01h455vb4pex5vsknk084sn02q"),
            "01890a5d-ac96-774b-bcce-b302099a8057");
  EXPECT_EQ(converted(shell, "--to typeid user_01h455vb4pex5vsknk084sn02q"),
            "user_01h455vb4pex5vsknk084sn02q");
  EXPECT_EQ(converted(shell, "--from hex --to ulid 0x01563e3ab5d3d6764c61efb99302bd5b"),
            "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(converted(shell, "--to typeid --prefix user 01890a5d-ac96-774b-bcce-b302099a8057"),
            "user_01h455vb4pex5vsknk084sn02q");
  EXPECT_EQ(converted(shell, "--to uuid6 c232ab00-9414-11ec-b3c8-9f6bdeced846"),
            "1ec9414c-232a-6b00-b3c8-9f6bdeced846");
  EXPECT_EQ(converted(shell, "--to uuid1 1ec9414c-232a-6b00-b3c8-9f6bdeced846"),
            "c232ab00-9414-11ec-b3c8-9f6bdeced846");
}

TEST(ConvertCommand, WritesTheByteOrdersOfDatabases) {
  const Shell shell;
  // The first line of each kind of ordering.txt that both have: RFC 9562's v1 in MySQL's swapped order.
  EXPECT_EQ(converted(shell, "--to mysql-swap c232ab00-9414-11ec-b3c8-9f6bdeced846"),
            "11ec9414c232ab00b3c89f6bdeced846");
  EXPECT_EQ(converted(shell, "--from mysql-swap --to uuid 11ec9414c232ab00b3c89f6bdeced846"),
            "c232ab00-9414-11ec-b3c8-9f6bdeced846");
  EXPECT_EQ(converted(shell, "--to dotnet 017f22e2-79b0-7cc3-98c4-dc0c0c07398f"),
            "e2227f01b079c37c98c4dc0c0c07398f");
  EXPECT_EQ(converted(shell, "--from dotnet --to uuid7 e2227f01b079c37c98c4dc0c0c07398f"),
            "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
}

TEST(ConvertCommand, WritesAndReadsEveryTextForm) {
  const Shell shell;
  const std::string id = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
  for (const std::string form :
       {"hex", "HEX", "decimal", "crockford", "base32hex", "base36", "base58", "base58flickr",
        "base62", "base62-09azAZ", "base62-azAZ09", "base62-AZaz09", "base64url"}) {
    const std::string text = converted(shell, "--to " + form + " " + id);
    EXPECT_EQ(converted(shell, "--from " + form + " --to uuid7 -- " + text), id) << form << text;
  }
  EXPECT_EQ(converted(shell, "--to decimal 0ujtsYcgvSTl8PAuAdqWYSMnLOv"),
            "36617121174329980561920228151092777577967556405");
  EXPECT_EQ(converted(shell,
                      "--from decimal --to ksuid "
                      "36617121174329980561920228151092777577967556405"),
            "0ujtsYcgvSTl8PAuAdqWYSMnLOv");
  EXPECT_EQ(converted(shell, "--from decimal --to tsid 38390726480144748"), "0123456789ABC");
}

TEST(ConvertCommand, ReadsAndWritesSqidsAndHashids) {
  const Shell shell;
  EXPECT_EQ(converted(shell, "--to sqids 1,2,3"), "86Rf07");
  EXPECT_EQ(converted(shell, "--from sqids --to decimal 86Rf07"), "1,2,3");
  EXPECT_EQ(converted(shell, "--to hashids 1,2,3"), "o2fXhV");
  EXPECT_EQ(converted(shell, "--to hashids --salt 'this is my salt' 12345"), "NkK9");
  EXPECT_EQ(converted(shell, "--from hashids --to decimal --salt 'this is my salt' NkK9"), "12345");
  for (const std::string line :
       {"--to sqids --alphabet aab 1", "--to sqids --min-length 256 1",
        "--from sqids --to hex 86Rf07", "--to sqids --salt x 1", "--to hex --salt x 42"}) {
    EXPECT_EQ(shell.run("mintmark convert " + line).code, 2) << line;
  }
  // It decodes, but another text is the one of its number.
  const Ran blocked = shell.run("mintmark convert --from sqids --to decimal aho1e");
  EXPECT_EQ(blocked.code, 1);
  EXPECT_TRUE(has(blocked.err, "one spelling")) << blocked.err;
}

TEST(ConvertCommand, RefusesWhatWouldMeanSomethingElse) {
  const Shell shell;
  const Ran twitter = shell.run("mintmark convert --from twitter --to discord 1541815603606036480");
  EXPECT_EQ(twitter.code, 1);
  EXPECT_TRUE(has(twitter.err, "its bits mean something else")) << twitter.err;
  const Ran version = shell.run("mintmark convert --to uuid7 01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(version.code, 1);
  EXPECT_TRUE(has(version.err, "--to uuid takes any 128 bits")) << version.err;
  const Ran width =
      shell.run("mintmark convert --to ulid --from ksuid 0ujtsYcgvSTl8PAuAdqWYSMnLOv");
  EXPECT_EQ(width.code, 1);
}

TEST(ConvertCommand, NamesWhatIsWrongWithTheCall) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark convert 42").code, 2);
  const Ran name = shell.run("mintmark convert --to bas58 42");
  EXPECT_EQ(name.code, 2);
  EXPECT_TRUE(has(name.err, "did you mean 'base58'?")) << name.err;
  EXPECT_EQ(shell.run("mintmark convert --to hex --bits 12 --from decimal 42").code, 2);
  EXPECT_EQ(shell.run("mintmark convert --to uuid --prefix user 42").code, 2);
  const Ran place = shell.run("printf '1\\n2x\\n' | mintmark convert --from decimal --to hex");
  EXPECT_EQ(place.code, 1);
  EXPECT_TRUE(has(place.err, "stdin:2: ")) << place.err;
  EXPECT_EQ(place.out, "00000000000000000000000000000001\n");
}

TEST(ConvertCommand, JsonHoldsEachInputWithItsOutputOrError) {
  const Shell shell;
  const Ran ran = shell.run("mintmark convert --json --to hex --from decimal --bits 8 5 x");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(
      ran.out.starts_with("{\"schema\":1,\"results\":[{\"input\":\"5\",\"output\":\"05\"},\n{"
                          "\"input\":\"x\",\"error\":\""))
      << ran.out;
}

}  // namespace
}  // namespace mintmark::cli
