#include "io/blocks.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temp_folder.h"

namespace mintmark::io {
namespace {

void write_file(const std::string& path, std::string_view text) {
  std::ofstream{path, std::ios::binary} << text;
}

std::vector<std::string> lines_in(const std::string& path) {
  BlockReader reader{path};
  std::vector<std::string> lines;
  std::string_view line;
  while (reader.next_line(line)) lines.emplace_back(line);
  EXPECT_FALSE(reader.failed()) << reader.reason();
  return lines;
}

TEST(BlockReader, CutsLinesOfBothEnds) {
  const TempFolder folder;
  write_file(folder / "a", "one\r\n\ntwo\nthree");
  EXPECT_EQ(lines_in(folder / "a"), (std::vector<std::string>{"one", "", "two", "three"}));
  write_file(folder / "a", "");
  EXPECT_TRUE(lines_in(folder / "a").empty());
  write_file(folder / "a", "\n");
  EXPECT_EQ(lines_in(folder / "a"), std::vector<std::string>{""});
}

TEST(BlockReader, CutsLinesThatCrossBlocks) {
  const TempFolder folder;
  std::string text;
  std::vector<std::string> expected;
  for (std::size_t i = 0; text.size() < 3 * BlockReader::kBlock; ++i) {
    expected.push_back(std::to_string(i) + std::string(i % 97, 'x'));
    text += expected.back() + '\n';
  }
  write_file(folder / "a", text);
  EXPECT_EQ(lines_in(folder / "a"), expected);
}

TEST(BlockReader, GivesAnEndlessLineOnceAndCut) {
  const TempFolder folder;
  const std::string cut(BlockReader::kLongestLine, 'x');
  for (const std::size_t length : {BlockReader::kLongestLine, BlockReader::kLongestLine + 1,
                                   BlockReader::kBlock, BlockReader::kBlock * 3 + 5}) {
    const std::string line(length, 'x');
    write_file(folder / "a", "z\n" + line + "\ny\n" + line);
    EXPECT_EQ(lines_in(folder / "a"), (std::vector<std::string>{"z", cut, "y", cut})) << length;
  }
}

TEST(BlockReader, GivesRecordsAndTheRest) {
  const TempFolder folder;
  write_file(folder / "a", "aaaabbbbcc");
  BlockReader reader{folder / "a"};
  std::span<const std::byte> record;
  std::vector<std::size_t> sizes;
  while (reader.next_record(4, record)) sizes.push_back(record.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 2}));
}

TEST(BlockReader, SaysWhyItCannotRead) {
  const TempFolder folder;
  BlockReader none{folder / "none"};
  EXPECT_FALSE(none.is_open());
  EXPECT_TRUE(none.failed());
  EXPECT_EQ(none.reason(), "No such file or directory");
  BlockReader itself{folder.path()};
  std::string_view line;
  EXPECT_FALSE(itself.next_line(line));
  EXPECT_EQ(itself.reason(), "Is a directory");
}

TEST(BlockWriter, WritesAllOfItInOrder) {
  const TempFolder folder;
  const int file = ::open((folder / "a").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  std::string expected;
  BlockWriter writer{file};
  for (int i = 0; expected.size() < 5 * BlockWriter::kBlock; ++i) {
    const std::string text = std::to_string(i) + '\n';
    expected += text;
    const std::span<char> room = writer.room(text.size());
    ASSERT_GE(room.size(), text.size());
    std::ranges::copy(text, room.begin());
    writer.used(text.size());
  }
  const std::string large(3 * BlockWriter::kBlock, 'z');
  writer.put(large);
  writer.flush();
  EXPECT_TRUE(writer.is_open());
  ::close(file);
  std::ifstream in{folder / "a", std::ios::binary};
  EXPECT_TRUE(std::string(std::istreambuf_iterator<char>{in}, {}) == expected + large);
}

TEST(BlockWriter, TellsAReaderThatLeftFromAFullDisk) {
  ignore_broken_pipes();
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);
  BlockWriter pipe{ends[1]};
  pipe.put("x");
  pipe.flush();
  EXPECT_EQ(pipe.state(), BlockWriter::State::reader_gone);
  ::close(ends[1]);
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  BlockWriter disk{full};
  disk.put("x");
  disk.flush();
  EXPECT_EQ(disk.state(), BlockWriter::State::failed);
  EXPECT_EQ(disk.reason(), "No space left on device");
  ::close(full);
}

TEST(BlockWriter, WaitsForAPipeThatDoesNotBlock) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const std::string text(1 << 20, 'x');
  const ::pid_t child = ::fork();
  if (child == 0) {
    BlockWriter writer{ends[1]};
    writer.put(text);
    writer.flush();
    ::_exit(writer.is_open() ? 0 : 1);
  }
  ::close(ends[1]);
  BlockReader reader{ends[0]};
  std::span<const std::byte> record;
  std::size_t sum = 0;
  while (reader.next_record(4096, record)) sum += record.size();
  EXPECT_EQ(sum, text.size());
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace mintmark::io
