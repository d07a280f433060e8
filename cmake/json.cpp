// The larger functions of nlohmann/json, compiled once (json.cmake says why): what json_once.py took out of the
// headers.
#define RV_JSON_BODIES
#include <nlohmann/json.hpp>

namespace nlohmann {

// Texts are read from strings and from pointers into them.
using FromString = detail::iterator_input_adapter<std::string::const_iterator>;
using FromPointer = detail::iterator_input_adapter<const char*>;
// Where a binary form has a number as text.
using FromVector = detail::iterator_input_adapter<std::vector<char>::const_iterator>;

#define RV_JSON_LEXER(Json, From) template detail::lexer<Json, From>::token_type detail::lexer<Json, From>::scan();

#define RV_JSON_PARSER(Json, From)                                    \
  template void detail::parser<Json, From>::parse(const bool, Json&); \
  template bool detail::parser<Json, From>::accept(const bool);       \
  RV_JSON_LEXER(Json, From)

#define RV_JSON_VALUE(Json)                                                                                          \
  template Json::json_value::json_value(value_t);                                                                    \
  template void Json::json_value::destroy(value_t);                                                                  \
  template Json::basic_json(initializer_list_t, bool, value_t);                                                      \
  template Json::basic_json(const Json&);                                                                            \
  template std::string Json::dump(const int, const char, const bool, const error_handler_t) const;                   \
  template Json::reference Json::operator[](size_type);                                                              \
  template Json::const_reference Json::operator[](size_type) const;                                                  \
  template Json::reference Json::operator[](object_t::key_type);                                                     \
  template void Json::push_back(Json&&);                                                                             \
  template void Json::push_back(const Json&);                                                                        \
  template void Json::update(const_iterator, const_iterator, bool);                                                  \
  template void detail::serializer<Json>::dump(const Json&, const bool, const bool, const unsigned, const unsigned); \
  RV_JSON_PARSER(Json, FromString)                                                                                   \
  RV_JSON_PARSER(Json, FromPointer)                                                                                  \
  RV_JSON_LEXER(Json, FromVector)

RV_JSON_VALUE(json)
RV_JSON_VALUE(ordered_json)

template std::pair<ordered_json::object_t::iterator, bool> ordered_json::object_t::emplace(const std::string&,
                                                                                           ordered_json&&);

}  // namespace nlohmann
