#include "server/directory.h"

#include <boost/json.hpp>

namespace mintmark::server {
namespace {

namespace json = boost::json;

void put_health(json::object& object, const mint::SpaceHealth& health) {
  object["ready"] = health.ready;
  object["state"] = health.state;
  if (!health.unsafe_store.empty()) {
    object["unsafe_store"] = json::array(health.unsafe_store.begin(), health.unsafe_store.end());
  }
  if (health.slot) object["slot"] = std::to_string(*health.slot);
  if (health.window_end) object["window_end"] = TimeText{*health.window_end}.view();
  if (health.left) object["left"] = std::to_string(*health.left);
  if (health.trouble) {
    object["trouble"] = health.trouble->row().name;
    object["reason"] = health.trouble->row().sentence;
    object["remedy"] = health.trouble->row().remedy;
  }
  if (!health.detail.empty()) object["detail"] = health.detail;
}

json::object describe(const mint::Space& space, Instant now) {
  json::object object;
  object["name"] = space.name();
  object["scheme"] = space.config().scheme();
  if (std::string definition = space.config().definition(); !definition.empty()) {
    object["definition"] = std::move(definition);
  }
  object["contiguous"] = space.contiguous();
  put_health(object, space.health(now));
  return object;
}

}  // namespace

std::string spaces_json(const mint::Mint& mint, Instant now) {
  json::array list;
  for (const auto& space : mint.spaces()) list.emplace_back(describe(*space, now));
  return json::serialize(json::object{{"spaces", std::move(list)}});
}

std::string space_json(const mint::Space& space, Instant now) {
  return json::serialize(describe(space, now));
}

Readiness readiness(const mint::Mint& mint, Instant now) {
  Readiness result;
  json::array list;
  for (const auto& space : mint.spaces()) {
    const mint::SpaceHealth health = space->health(now);
    result.ready = result.ready && health.ready;
    json::object object{{"name", space->name()}};
    put_health(object, health);
    list.emplace_back(std::move(object));
  }
  result.json = json::serialize(json::object{{"ready", result.ready}, {"spaces", std::move(list)}});
  return result;
}

std::string problem_json(const Problem& problem) {
  json::object object{{"type", "about:blank"},  // RFC 9457 section 4.2.1: the title is the status
                      {"title", problem.title},
                      {"status", problem.status},
                      {"detail", problem.detail},
                      {"code", problem.code}};
  if (problem.retry_after_ms > 0) object["retry_after_ms"] = problem.retry_after_ms;
  return json::serialize(object);
}

}  // namespace mintmark::server
